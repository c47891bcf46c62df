"""One execution per audience: each frame is executed and encoded once for all who may see the same and ask the same.

A watcher is served what it would have been served alone: the key of what is shared holds the document, the operation,
the variables but for `after`, and the frame's own audience (match, viewer, range of versions, whether all is open).
Executions know nothing of who asks.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Mapping
from inspect import isawaitable
from typing import Any, Final

import msgspec
from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    GraphQLError,
    OperationDefinitionNode,
    OperationType,
    VariableNode,
    Visitor,
    execute_subscription_event,
    get_operation_ast,
    visit,
)
from graphql.execution.collect_fields import collect_fields
from graphql.execution.values import get_argument_values

from domain.core.words import Version
from infra import metrics
from service.frames import Frame
from service.graphql.arguments import UNSET, ViewerInput
from service.graphql.errors import Schema
from service.graphql.limits import check_variables

DOCUMENTS: Final = 256
"""How many documents stay parsed."""

FRAMES: Final = 512
"""How many encoded frames are kept for watchers that come a little later."""

FIELD: Final = "watch"

_encode: Final = msgspec.json.Encoder().encode


class Parsed(msgspec.Struct, frozen=True):
    """A valid document whose operation subscribes to `watch`. after: the variables that nothing else uses."""

    document: DocumentNode
    operation: OperationDefinitionNode
    after: frozenset[str]


class Subscription(msgspec.Struct, frozen=True):
    """One client's subscription: what it watches, how its frames are executed, and with whom it shares them."""

    match: str
    after: Version | None
    viewer: ViewerInput | None
    key: tuple[str, str | None, bytes]
    executor: Any


class Fanout:
    """What the watchers of one process share."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._parsed: OrderedDict[tuple[str, str | None], Parsed | None] = OrderedDict()
        self._frames: OrderedDict[Any, str | asyncio.Future[str]] = OrderedDict()
        self.executions = 0
        """How often something was executed."""

    def subscription(
        self, query: str, variables: Mapping[str, Any] | None, operation_name: str | None
    ) -> Subscription | None:
        """What the client subscribes to; None if it is no plain and valid `watch`, which the usual path then says."""
        parsed = self._parse(query, operation_name)
        if parsed is None:
            return None
        given = dict(variables or {})
        try:
            check_variables(given, self._schema.documents.limits)
        except GraphQLError:
            return None
        executor = self._schema.execution_context_class.build(
            self._schema._schema,  # noqa: SLF001 - strawberry offers no other way to it
            parsed.document,
            raw_variable_values=given,
            operation_name=operation_name,
        )
        if isinstance(executor, list):
            return None
        return self._subscription(query, operation_name, parsed, given, executor)

    def _subscription(
        self, query: str, operation_name: str | None, parsed: Parsed, given: dict[str, Any], executor: Any
    ) -> Subscription | None:
        root = executor.schema.subscription_type
        fields = collect_fields(
            executor.schema, executor.fragments, executor.variable_values, root, parsed.operation
        ).grouped_field_set
        if len(fields) != 1:
            return None
        (details,) = fields.values()
        try:
            arguments = get_argument_values(root.fields[FIELD], details[0].node, executor.variable_values)
        except GraphQLError:
            return None
        shared = {name: value for name, value in given.items() if name not in parsed.after}
        chosen = arguments.get("as")
        return Subscription(
            match=arguments["match"],
            after=arguments.get("after"),
            viewer=None
            if chosen is None
            else ViewerInput(seat=chosen.get("seat", UNSET), gallery=chosen.get("gallery", UNSET)),
            key=(query, operation_name, msgspec.json.encode(shared, order="sorted")),
            executor=executor,
        )

    def _parse(self, query: str, operation_name: str | None) -> Parsed | None:
        key = (query, operation_name)
        if key not in self._parsed:
            self._parsed[key] = self._parse_anew(query, operation_name)
            while len(self._parsed) > DOCUMENTS:
                self._parsed.popitem(last=False)
        self._parsed.move_to_end(key)
        return self._parsed[key]

    def _parse_anew(self, query: str, operation_name: str | None) -> Parsed | None:
        try:
            checked = self._schema.documents.check(self._schema._schema, query)  # noqa: SLF001 - as above
        except GraphQLError:
            return None
        document = checked.document
        operation = get_operation_ast(document, operation_name)
        if checked.errors or operation is None or operation.operation is not OperationType.SUBSCRIPTION:
            return None
        uses = _Uses()
        visit(document, uses)
        return Parsed(document, operation, frozenset(uses.after - uses.elsewhere)) if uses.watches else None

    async def payload(self, subscription: Subscription, item: Any) -> str:
        """The JSON of a `next` message's payload for an item; for a frame, executed once for its whole audience."""
        if not isinstance(item, Frame):
            return await self._execute(subscription, item)
        metrics.FRAMES.value += 1
        key = (subscription.key, item.audience)
        known = self._frames.get(key)
        if isinstance(known, str):
            return known
        if known is None:
            known = self._begin(key, subscription, item)
        return known if isinstance(known, str) else await asyncio.shield(known)

    def _begin(self, key: Any, subscription: Subscription, item: Frame) -> str | asyncio.Future[str]:
        """Execute: at once, where no resolver waits for anything; else as a task that all wait for."""
        result = self._run(subscription, item)
        made: str | asyncio.Future[str]
        if isawaitable(result):
            made = asyncio.ensure_future(self._later(key, result))
        else:
            made = self._text(result)
            if result.errors:
                return made
        self._frames[key] = made
        while len(self._frames) > FRAMES:
            self._frames.popitem(last=False)
        return made

    async def _later(self, key: Any, pending: Awaitable[ExecutionResult]) -> str:
        try:
            result = await pending
            text = self._text(result)
        except BaseException:
            self._frames.pop(key, None)
            raise
        if result.errors:
            self._frames.pop(key, None)
        elif key in self._frames:
            self._frames[key] = text
        return text

    async def _execute(self, subscription: Subscription, item: Any) -> str:
        result = self._run(subscription, item)
        return self._text(await result if isawaitable(result) else result)

    def _run(self, subscription: Subscription, item: Any) -> Any:
        self.executions += 1
        metrics.FRAME_EXECUTIONS.value += 1
        return execute_subscription_event(subscription.executor.build_per_event_executor(item))

    def _text(self, result: ExecutionResult) -> str:
        if not result.errors:
            return _encode({"data": result.data}).decode()
        errors = list(result.errors)
        self._schema.process_errors(errors)
        return _encode({"data": result.data, "errors": [error.formatted for error in errors]}).decode()


class _Uses(Visitor):
    """Which variables stand for `after` of `watch`, and which stand anywhere else."""

    def __init__(self) -> None:
        super().__init__()
        self.after: set[str] = set()
        self.elsewhere: set[str] = set()
        self.watches = False
        self._skip: set[int] = set()

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        if node.name.value != FIELD:
            return
        self.watches = True
        for argument in node.arguments or ():
            if argument.name.value == "after" and isinstance(argument.value, VariableNode):
                self.after.add(argument.value.name.value)
                self._skip.add(id(argument.value))

    def enter_variable_definition(self, node: Any, *_: Any) -> None:
        self._skip.add(id(node.variable))

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        if id(node) not in self._skip:
            self.elsewhere.add(node.name.value)
