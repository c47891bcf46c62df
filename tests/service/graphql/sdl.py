"""Looks at a schema's text as a client would."""

from graphql import GraphQLObjectType, GraphQLUnionType, build_schema


def conflicts(text: str) -> list[str]:
    """Where two members of one union give one field name two types, so that no client can select both."""
    found: list[str] = []
    for union in build_schema(text).type_map.values():
        if not isinstance(union, GraphQLUnionType):
            continue
        seen: dict[str, tuple[str, str]] = {}
        for member in union.types:
            assert isinstance(member, GraphQLObjectType)
            for name, field in member.fields.items():
                first, shown = seen.setdefault(name, (member.name, str(field.type)))
                if shown != str(field.type):
                    found.append(f"{union.name}.{name}: {first} has {shown}, {member.name} has {field.type}")
    return found
