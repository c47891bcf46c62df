"""What one request may cost, checked before anything is executed; every refusal names the limit."""

from typing import Any, Final

import msgspec
from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of the GraphQL surface.

    body_bytes: of a request, and of a message on a socket. tokens: of a document. depth, aliases, selections: of an
    operation with its fragments spread. string, items: of any text and any list among the variables.
    subscriptions: at a time on one socket. sockets: at a time in this process for one account. slow_s: how long a
    client may leave its socket full.
    """

    body_bytes: int = 64 * 1024
    tokens: int = 2000
    depth: int = 20
    aliases: int = 50
    selections: int = 2000
    string: int = 16 * 1024
    items: int = 1000
    subscriptions: int = 20
    sockets: int = 50
    slow_s: float = 20.0
    init_s: float = 10.0


class Measure(msgspec.Struct, frozen=True):
    """How deep, how many aliases and how many selections something has."""

    depth: int = 0
    aliases: int = 0
    selections: int = 0


def limit_rule(limits: Limits) -> type[ValidationRule]:
    """The validation rule of these limits: one class per schema, as validation is remembered by rules."""

    class LimitRule(ValidationRule):
        """Refuses operations that are too deep or too large once their fragments are spread."""

        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            self._fragments = {
                node.name.value: node
                for node in context.document.definitions
                if isinstance(node, FragmentDefinitionNode)
            }
            self._known: dict[str, Measure] = {}

        def enter_operation_definition(self, node: OperationDefinitionNode, *_: Any) -> None:
            found = self._measure(node.selection_set)
            for name, most in (
                ("depth", limits.depth),
                ("aliases", limits.aliases),
                ("selections", limits.selections),
            ):
                if (has := getattr(found, name)) > most:
                    self.report_error(GraphQLError(f"The operation's {name}: {has}. Allowed: {most}.", node))

        def _measure(self, selected: SelectionSetNode | None) -> Measure:
            depth = aliases = selections = 0
            for node in selected.selections if selected else ():
                if isinstance(node, FragmentSpreadNode):
                    inner, own, alias = self._fragment(node.name.value), 0, 0
                elif isinstance(node, FieldNode):
                    introspects = node.name.value.startswith("__")
                    inner = Measure() if introspects else self._measure(node.selection_set)
                    own, alias = 1, int(node.alias is not None)
                else:
                    inner, own, alias = self._measure(getattr(node, "selection_set", None)), 0, 0
                depth = max(depth, inner.depth + own)
                aliases += inner.aliases + alias
                selections += inner.selections + own
            return Measure(depth, aliases, selections)

        def _fragment(self, name: str) -> Measure:
            if name not in self._known:
                self._known[name] = Measure()  # while it is measured: another rule refuses cycles
                node = self._fragments.get(name)
                self._known[name] = self._measure(node.selection_set if node else None)
            return self._known[name]

    return LimitRule


NESTED: Final = 32
"""How deep variables may nest."""


def check_variables(value: Any, limits: Limits, depth: int = 0) -> None:
    """Raises GraphQLError for a text, a list or a nesting beyond the limits."""
    if isinstance(value, str):
        if len(value) > limits.string:
            raise GraphQLError(f"A text among the variables has {len(value)} characters. Allowed: {limits.string}.")
    elif isinstance(value, list | dict):
        if len(value) > limits.items:
            raise GraphQLError(f"A list among the variables has {len(value)} items. Allowed: {limits.items}.")
        if depth >= NESTED:
            raise GraphQLError(f"The variables nest deeper than {NESTED}.")
        for item in value.values() if isinstance(value, dict) else value:
            check_variables(item, limits, depth + 1)
