/** What can carry an operation besides REST. */
export type Surface = 'graphql' | 'mcp';
