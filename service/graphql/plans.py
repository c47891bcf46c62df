"""Selections of pure data, compiled once per document and then read straight off the objects.

GraphQL's executor spends some microseconds on every field. Below a field whose selection reads attributes only, with
no argument and no directive, the answer is a function of the object: it is compiled to closures when a document asks
for it first, and kept with the document. Whatever does not fit a plan, at compile time or with a value, goes the
usual way, which also says what is wrong and where.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    InlineFragmentNode,
    SelectionSetNode,
)
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from service.graphql.attributes import Attribute

Plan = Callable[[Any], Any]

PLANS: Final = 4096
"""How many plans are kept."""

BACKREF: Final = "strawberry-definition"
INT_LEAST: Final = -(1 << 31)
INT_MOST: Final = (1 << 31) - 1


class Misfit(Exception):
    """A selection that cannot be compiled, or a value that a plan cannot take."""


class Planner:
    """The plans of one schema."""

    def __init__(self) -> None:
        self._plans: OrderedDict[tuple[int, ...], tuple[Plan | None, Any]] = OrderedDict()

    def plan(self, executor: Any, return_type: Any, details: Sequence[Any]) -> Plan | None:
        """The plan for a field's value, if there can be one."""
        key = (id(return_type), *[id(each.node) for each in details])
        known = self._plans.get(key)
        if known is None:
            nodes = [each.node for each in details]
            known = self._plans[key] = (_compiled(executor, return_type, nodes), nodes)  # nodes live, ids stay theirs
            if len(self._plans) > PLANS:
                self._plans.popitem(last=False)
        return known[0]


def planned(planner: Planner) -> type[StrawberryGraphQLCoreExecutionContext]:
    """An executor that follows this planner's plans."""

    class PlannedExecutor(StrawberryGraphQLCoreExecutionContext):
        """Strawberry's executor, with plans for pure data."""

        def complete_value(
            self, return_type: Any, field_details_list: Any, info: Any, path: Any, result: Any, position_context: Any
        ) -> Any:
            """The value of a field, by its plan if it has one."""
            if result is not None and field_details_list[0].node.selection_set is not None:
                plan = planner.plan(self, return_type, field_details_list)
                if plan is not None:
                    try:
                        return plan(result)
                    except Exception:  # noqa: BLE001, S110 - the usual way tells what is wrong
                        pass
            return super().complete_value(return_type, field_details_list, info, path, result, position_context)

    return PlannedExecutor


def _compiled(executor: Any, return_type: Any, nodes: Sequence[FieldNode]) -> Plan | None:
    try:
        return _Compiler(executor.schema, executor.fragment_definitions).value(return_type, nodes)
    except Misfit:
        return None


class _Compiler:
    def __init__(self, schema: GraphQLSchema, fragments: dict[str, Any]) -> None:
        self._schema = schema
        self._fragments = fragments

    def value(self, kind: Any, nodes: Sequence[FieldNode]) -> Plan:
        """The plan for values of a type."""
        if isinstance(kind, GraphQLNonNull):
            return _required(self._nullable(kind.of_type, nodes))
        inner = self._nullable(kind, nodes)
        return lambda value: None if value is None else inner(value)

    def _nullable(self, kind: Any, nodes: Sequence[FieldNode]) -> Plan:
        if isinstance(kind, GraphQLList):
            return _list(self.value(kind.of_type, nodes))
        if isinstance(kind, GraphQLObjectType):
            return self._object(kind, nodes)
        if isinstance(kind, GraphQLUnionType):
            return self._union(kind, nodes)
        return _leaf(kind)

    def _object(self, kind: GraphQLObjectType, nodes: Sequence[FieldNode]) -> Plan:
        selected: dict[str, list[FieldNode]] = {}
        for node in nodes:
            self._collect(kind, node.selection_set, selected, set())
        parts: list[tuple[str, Plan, Plan]] = []
        for key, found in selected.items():
            name = found[0].name.value
            if name == "__typename":
                parts.append((key, _as_it_is, _constantly(kind.name)))
                continue
            field = kind.fields[name]
            attribute = field.extensions.get(BACKREF)
            if not isinstance(attribute, Attribute) or any(node.arguments for node in found):
                raise Misfit
            parts.append((key, attribute.read, self.value(field.type, found)))
        return _object(tuple(parts))

    def _union(self, kind: GraphQLUnionType, nodes: Sequence[FieldNode]) -> Plan:
        by_class: dict[type, Plan] = {}
        by_test: list[tuple[Callable[[Any, Any], bool], Plan]] = []
        for member in kind.types:
            test = member.is_type_of
            if test is None:
                raise Misfit
            plan = self._object(member, nodes)
            exact = getattr(test, "exactly", None)
            if exact is None:
                by_test.append((test, plan))
            else:
                by_class[exact] = plan
        return _one_of(by_class, tuple(by_test))

    def _collect(
        self,
        kind: GraphQLObjectType,
        selection: SelectionSetNode | None,
        selected: dict[str, list[FieldNode]],
        seen: set[str],
    ) -> None:
        for node in selection.selections if selection else ():
            if node.directives:
                raise Misfit
            if isinstance(node, FieldNode):
                selected.setdefault(node.alias.value if node.alias else node.name.value, []).append(node)
            elif isinstance(node, InlineFragmentNode):
                if node.type_condition is None or self._fits(kind, node.type_condition.name.value):
                    self._collect(kind, node.selection_set, selected, seen)
            elif isinstance(node, FragmentSpreadNode) and node.name.value not in seen:
                seen.add(node.name.value)
                fragment = self._fragments[node.name.value]
                if self._fits(kind, fragment.type_condition.name.value):
                    self._collect(kind, fragment.selection_set, selected, seen)

    def _fits(self, kind: GraphQLObjectType, condition: str) -> bool:
        wanted = self._schema.get_type(condition)
        return wanted is kind or (isinstance(wanted, GraphQLUnionType) and kind in wanted.types)


def _required(plan: Plan) -> Plan:
    def required(value: Any) -> Any:
        if value is None:
            raise Misfit
        return plan(value)

    return required


def _constantly(value: Any) -> Plan:
    return lambda _value: value


def _list(plan: Plan) -> Plan:
    def items(values: Any) -> Any:
        if not isinstance(values, list | tuple):
            raise Misfit
        return [plan(value) for value in values]

    return items


def _object(parts: tuple[tuple[str, Plan, Plan], ...]) -> Plan:
    return lambda source: {key: plan(read(source)) for key, read, plan in parts}


def _one_of(by_class: dict[type, Plan], by_test: tuple[tuple[Callable[[Any, Any], bool], Plan], ...]) -> Plan:
    def member(value: Any) -> Any:
        plan = by_class.get(type(value))
        if plan is not None:
            return plan(value)
        for test, tested in by_test:
            if test(value, None):
                return tested(value)
        raise Misfit

    return member


def _leaf(kind: Any) -> Plan:
    if isinstance(kind, GraphQLEnumType):
        return {value.value: name for name, value in kind.values.items()}.__getitem__
    if isinstance(kind, GraphQLScalarType) and (plan := _SCALARS.get(kind.name)) is not None:
        return plan
    raise Misfit


def _text(value: Any) -> Any:
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    raise Misfit


def _number(value: Any) -> Any:
    if type(value) is not int or not INT_LEAST <= value <= INT_MOST:
        raise Misfit
    return value


def _truth(value: Any) -> Any:
    if type(value) is not bool:
        raise Misfit
    return value


def _as_it_is(value: Any) -> Any:
    return value


_SCALARS: Final[dict[str, Plan]] = {
    "String": _text,
    "ID": _text,
    "Int": _number,
    "Boolean": _truth,
    "JSON": _as_it_is,
    "Time": _as_it_is,
}
