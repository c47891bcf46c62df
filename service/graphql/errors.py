"""Errors that are not answers: what the client asked wrongly is said as it is, what went wrong here is masked."""

import secrets
from collections.abc import Iterable
from inspect import isawaitable
from typing import Any

import strawberry
import structlog
from graphql import GraphQLError
from graphql import OperationType as GraphQLOperationType
from strawberry.execution import optimized_is_awaitable
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.graphql import OperationType

from domain.core.errors import Illegal
from infra import metrics
from service.graphql.documents import Documents
from service.graphql.limits import check_variables

log = structlog.get_logger()
_is_awaitable: Any = optimized_is_awaitable


class Schema(strawberry.Schema):
    """A schema that tells nobody about the inside of the server, and does not let bad queries fill the log."""

    def __init__(self, *, documents: Documents, **settings: Any) -> None:
        super().__init__(**settings)
        self.documents = documents

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """The answer to a query or mutation: straight from the executor, if nothing is wrong with the request."""
        executor = self._ready(query, variable_values, context_value, operation_name, allowed_operation_types)
        if executor is None:
            return await super().execute(
                query,
                variable_values,
                context_value,
                root_value,
                operation_name,
                allowed_operation_types,
                operation_extensions,
            )
        result = executor.execute_operation()
        if isawaitable(result):
            result = await result
        errors = list(result.errors) if result.errors else None
        if errors:
            self.process_errors(errors)
        return ExecutionResult(data=result.data, errors=errors)

    def _ready(
        self,
        query: str | None,
        variables: dict[str, Any] | None,
        context: Any,
        operation_name: str | None,
        allowed: Iterable[OperationType] | None,
    ) -> Any:
        """An executor for a plain and valid request; None for all others, of which strawberry says what is wrong."""
        try:
            checked = self.documents.check(self._schema, query or "")
            check_variables(variables, self.documents.limits)
        except GraphQLError:
            return None
        operation = checked.operation
        if checked.errors or operation is None or operation.operation is GraphQLOperationType.SUBSCRIPTION:
            return None
        if allowed is not None and OperationType(operation.operation.value) not in allowed:
            return None
        executor = self.execution_context_class.build(
            self._schema,
            checked.document,
            context_value=context,
            raw_variable_values=variables,
            operation_name=operation_name,
            is_awaitable=_is_awaitable,
        )
        return None if isinstance(executor, list) else executor

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
