"""Errors that are not answers: what the client asked wrongly is said as it is, what went wrong here is masked."""

import secrets
from typing import Any

import strawberry
import structlog
from graphql import GraphQLError
from strawberry.types import ExecutionContext

from domain.core.errors import Illegal
from infra import metrics
from service.graphql.documents import Documents

log = structlog.get_logger()


class Schema(strawberry.Schema):
    """A schema that tells nobody about the inside of the server, and does not let bad queries fill the log."""

    def __init__(self, *, documents: Documents, **settings: Any) -> None:
        super().__init__(**settings)
        self.documents = documents

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Change each error in place into what the client may read; log what was not the client's doing."""
        del execution_context
        for index, error in enumerate(errors):
            cause = error.original_error
            if isinstance(cause, Illegal):
                errors[index] = _told(error, str(cause.message), _details(cause))
            elif cause is not None and not isinstance(cause, GraphQLError):
                errors[index] = masked(error, cause)


def masked(error: GraphQLError, cause: BaseException) -> GraphQLError:
    """What the client is told about an unexpected error: its id in the log."""
    found = secrets.token_hex(8)
    metrics.UNEXPECTED.inc()
    log.error("graphql_error", error_id=found, path=error.path, exc_info=cause)
    message = f"Something went wrong here, and it is not your doing. Its id in our log is {found}."
    return _told(error, message, {"code": "internal", "id": found})


def _details(cause: Illegal) -> dict[str, Any]:
    return {"code": cause.code, "rule": cause.rule, "hint": cause.hint}


def _told(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(message, error.nodes, path=error.path, extensions=extensions)
