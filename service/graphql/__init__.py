"""The GraphQL API: types derived from the words of the games, and the queries, mutations and subscription on them."""
