"""What the world can ask: GraphQL, REST, the command line, and the use cases beneath them."""
