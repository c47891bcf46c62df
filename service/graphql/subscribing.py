"""From a `subscribe` message to what it watches: whatever is no plain and valid `watch` goes the usual way."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    OperationDefinitionNode,
    OperationType,
    VariableNode,
    Visitor,
    get_operation_ast,
    visit,
)
from graphql.execution.collect_fields import collect_fields
from graphql.execution.values import get_argument_values

from domain.core.words import Version
from service.graphql.arguments import UNSET, ViewerInput
from service.graphql.errors import Schema
from service.graphql.limits import check_variables

OPERATIONS: Final = 256
"""How many operations stay known."""

FIELD: Final = "watch"


class Watch(msgspec.Struct, frozen=True):
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


class Subscribing:
    """Reads subscriptions to one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: OrderedDict[tuple[str, str | None], Watch | None] = OrderedDict()

    def read(self, query: str, variables: Mapping[str, Any] | None, operation_name: str | None) -> Subscription | None:
        """What the client subscribes to; None if it is no plain and valid `watch`."""
        watch = self._watch(query, operation_name)
        if watch is None:
            return None
        given = dict(variables or {})
        try:
            check_variables(given, self._schema.documents.limits)
        except GraphQLError:
            return None
        executor: Any = self._schema.execution_context_class.build(
            self._schema._schema,  # noqa: SLF001 - strawberry offers no other way to it
            watch.document,
            raw_variable_values=given,
            operation_name=operation_name,
        )
        arguments = None if isinstance(executor, list) else _arguments(executor, watch.operation)
        if arguments is None or arguments.get("speed") is not None:
            return None  # a match watched again goes at its watcher's own pace
        shared = {name: value for name, value in given.items() if name not in watch.after}
        return Subscription(
            match=arguments["match"],
            after=arguments.get("after"),
            viewer=_viewer(arguments.get("as")),
            key=(query, operation_name, msgspec.json.encode(shared, order="sorted")),
            executor=executor,
        )

    def _watch(self, query: str, operation_name: str | None) -> Watch | None:
        key = (query, operation_name)
        if key not in self._known:
            self._known[key] = self._watch_anew(query, operation_name)
            while len(self._known) > OPERATIONS:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]

    def _watch_anew(self, query: str, operation_name: str | None) -> Watch | None:
        try:
            checked = self._schema.documents.check(self._schema._schema, query)  # noqa: SLF001 - as above
        except GraphQLError:
            return None
        operation = get_operation_ast(checked.document, operation_name)
        if checked.errors or operation is None or operation.operation is not OperationType.SUBSCRIPTION:
            return None
        uses = _Uses()
        visit(checked.document, uses)
        return Watch(checked.document, operation, frozenset(uses.after - uses.elsewhere)) if uses.watches else None


def _arguments(executor: Any, operation: OperationDefinitionNode) -> dict[str, Any] | None:
    """The arguments of the one `watch` of the operation; None if there is none, or they do not fit."""
    root = executor.schema.subscription_type
    found = collect_fields(executor.schema, executor.fragments, executor.variable_values, root, operation)
    fields = list(found.grouped_field_set.values())
    if len(fields) != 1 or fields[0][0].node.name.value != FIELD:
        return None
    try:
        return get_argument_values(root.fields[FIELD], fields[0][0].node, executor.variable_values)
    except GraphQLError:
        return None


def _viewer(chosen: Mapping[str, Any] | None) -> ViewerInput | None:
    if chosen is None:
        return None
    return ViewerInput(seat=chosen.get("seat", UNSET), gallery=chosen.get("gallery", UNSET))


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
