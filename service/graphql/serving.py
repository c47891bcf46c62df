"""The GraphQL surface as ASGI: POST, GET and sockets at one path, a page for the curious, the SDL for download."""

from datetime import timedelta
from functools import cached_property
from importlib.resources import files
from json import JSONDecodeError
from typing import Any, Final

import msgspec
from cross_web import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types.unset import UnsetType

from service.graphql.context import Context, Services, bearer
from service.graphql.errors import Schema
from service.graphql.fanout import Fanout
from service.graphql.limits import Limits
from service.graphql.schema import build
from service.graphql.sockets import Handler, Socket, Sockets
from service.graphql.subscribing import Subscribing

CONSOLE: Final = files("service.graphql") / "console.html"
JSON_TYPE: Final = "application/json"


def graphql_routes(services: Services, limits: Limits | None = None, schema: Schema | None = None) -> list[BaseRoute]:
    """The routes `/graphql` (HTTP and sockets) and `/schema.graphql`. schema: one built already for these limits."""
    limits = limits or Limits()
    app = GraphQLApp(services, limits, schema or build(services.games, limits))
    text = app.schema.as_str() + "\n"

    async def schema_text(_request: Request) -> Response:
        return PlainTextResponse(text, headers={"content-disposition": 'inline; filename="schema.graphql"'})

    return [Route("/graphql", app), WebSocketRoute("/graphql", app), Route("/schema.graphql", schema_text)]


class GraphQLApp(GraphQL[Context, None]):
    """One schema, served."""

    graphql_transport_ws_handler_class = Handler
    websocket_adapter_class = Socket

    def __init__(self, services: Services, limits: Limits, schema: Schema) -> None:
        super().__init__(
            schema,
            graphql_ide="graphiql",
            subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL],
            connection_init_wait_timeout=timedelta(seconds=limits.init_s),
            max_subscriptions_per_connection=limits.subscriptions,
            allowed_origins=["*"],  # tokens travel in headers and messages, never in cookies
        )
        self.services = services
        self.limits = limits
        self.fanout = Fanout(schema)
        self.subscribing = Subscribing(schema)
        self.sockets = Sockets(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: no request body beyond the limit is taken."""
        if scope["type"] == "http":
            receive = _limited(receive, self.limits.body_bytes)
        await super().__call__(scope, receive, send)

    @cached_property
    def graphql_ide_html(self) -> str:
        """GraphiQL, whose parts come from a public CDN; where that cannot be reached, a plain form takes its place."""
        return super().graphql_ide_html.replace("</body>", f"{CONSOLE.read_text(encoding='utf-8')}</body>")

    async def get_context(self, request: HTTPConnection, response: Any) -> Context:
        """Who is asking, by the header."""
        del response
        return Context(self.services, bearer(request.headers.get("authorization")))

    async def on_ws_connect(self, context: Context) -> UnsetType | dict[str, object] | None:
        """A socket may bring its token in connection_init instead; a token that does not hold is turned away."""
        given = (context.connection_params or {}).get("authorization")
        if given is not None:
            context.token = bearer(given)
            if context.token is None:
                raise ConnectionRejectionError
        if not await context.valid():
            raise ConnectionRejectionError
        return None

    def decode_json(self, data: str | bytes) -> object:
        """As JSON's own module would, only faster."""
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JSONDecodeError(str(error), "", 0) from error

    def encode_json(self, data: object) -> str:
        """Text: bytes would make binary frames of messages."""
        return msgspec.json.encode(data).decode()

    def create_response(self, response_data: Any, sub_response: Response) -> Response:
        """The answer to a request over HTTP."""
        status = sub_response.status_code or 200
        return Response(msgspec.json.encode(response_data), status, media_type=JSON_TYPE)


def _limited(receive: Receive, most: int) -> Receive:
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, f"The request is larger than the {most} bytes that are allowed.")
        return message

    return limited
