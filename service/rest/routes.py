"""The routes under /api/v1, from the table of operations."""

from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from domain.core.errors import Illegal
from service.answers import refused
from service.graphql.context import Services, unauthenticated
from service.graphql.limits import Limits
from service.rest.asking import Asked, Unauthenticated
from service.rest.openapi import document
from service.rest.operations import OPERATIONS, PREFIX, Operation
from service.rest.problems import problem


def rest_routes(services: Services, limits: Limits | None = None) -> list[Route]:
    """Every path of the REST surface, its description among them."""
    found: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        found.setdefault(operation.path, {})[operation.method] = operation
    routes = [_route(path, methods, services, limits or Limits()) for path, methods in found.items()]

    @cache
    def description() -> bytes:
        return document(services.games)

    async def openapi(_request: Request) -> Response:
        headers = {"access-control-allow-origin": "*", "cache-control": "max-age=300"}
        return Response(description(), headers=headers, media_type="application/json")

    return [*routes, Route(f"{PREFIX}/openapi.json", openapi)]


def _route(path: str, methods: dict[str, Operation], services: Services, limits: Limits) -> Route:
    async def serve(request: Request) -> Response:
        operation = methods["GET" if request.method == "HEAD" else request.method]
        try:
            return await operation.act(Asked(request, services, limits, frozenset(operation.query)))
        except Unauthenticated:
            hint = "`POST /api/v1/guests` gives you one; send it as `Authorization: Bearer …`."
            return problem(msgspec.structs.replace(unauthenticated(), hint=hint))
        except Illegal as error:
            return problem(refused(error))

    return Route(PREFIX + path, serve, methods=list(methods))
