"""The REST surface: the same use cases and refusals as GraphQL, as resources under /api/v1."""
