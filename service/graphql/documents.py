"""Documents parsed, measured and validated once: clients send variables, and repeat their texts."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    get_operation_ast,
    parse,
    specified_rules,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import validate_document

from service.graphql.limits import Limits, check_variables, limit_rule

KEPT: Final = 256
"""How many documents are kept: no stranger can fill the memory with ever new ones."""


class Checked(msgspec.Struct, frozen=True):
    """A document and what is wrong with it; its operation, if there is only one."""

    document: DocumentNode
    errors: tuple[GraphQLError, ...]
    operation: OperationDefinitionNode | None


class Documents:
    """The documents of one schema, by their text; least recently used first out."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._rules = (*specified_rules, limit_rule(limits))
        self._kept: OrderedDict[str, Checked] = OrderedDict()

    def check(self, schema: GraphQLSchema, text: str) -> Checked:
        """The document, checked. Raises GraphQLSyntaxError, also for one of too many tokens."""
        known = self._kept.get(text)
        if known is not None:
            self._kept.move_to_end(text)
            return known
        document = parse(text, max_tokens=self.limits.tokens)
        errors = tuple(validate_document(schema, document, self._rules))
        known = self._kept[text] = Checked(document, errors, get_operation_ast(document))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return known


class Gate(SchemaExtension):
    """Lets an operation in: its document from memory where it can, its variables within the limits."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._checked: Checked | None = None

    def on_operation(self) -> Iterator[None]:
        """The document and the variables; whatever is wrong is left for the usual steps to say."""
        context: Any = self.execution_context
        context.parse_options["max_tokens"] = self._documents.limits.tokens
        try:
            self._checked = self._documents.check(context.schema._schema, context.query or "")  # noqa: SLF001
            context.graphql_document = self._checked.document
        except GraphQLError:
            self._checked = None
        yield

    def on_validate(self) -> Iterator[None]:
        """What is wrong with the document, or with the variables."""
        context = self.execution_context
        if self._checked is not None:
            context.pre_execution_errors = list(self._checked.errors)
        if not context.pre_execution_errors and context.variables:
            try:
                check_variables(context.variables, self._documents.limits)
            except GraphQLError as error:
                context.pre_execution_errors = [error]
        yield
