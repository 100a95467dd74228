/** A page of a list (GraphQL Cursor Connections, Relay). */
export interface Connection<Node> {
  edges: { cursor: string; node: Node }[];
  nodes: Node[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

/** The pagination arguments of a connection. */
export interface PageArgs {
  first?: number | null;
  after?: string | null;
}

const toCursor = (id: string): string => Buffer.from(id).toString('base64url');

/** Decodes a cursor to the id in the REST API; undefined without a cursor. */
export const readCursor = (after: string | null | undefined): string | undefined =>
  after == null ? undefined : Buffer.from(after, 'base64url').toString();

/** Converts the arguments of a connection to the query of a list in the REST API. */
export const toListQuery = <Others extends object>({
  first,
  after,
  ...others
}: PageArgs & Others) => ({ ...others, limit: first, cursor: readCursor(after) });

/** Converts a page of views to a connection. */
export function toConnection<Node extends { id: string }>(
  nodes: Node[],
  { hasNextPage, after }: { hasNextPage: boolean; after: string | null | undefined },
): Connection<Node> {
  const edges = nodes.map((node) => ({ cursor: toCursor(node.id), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after != null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** The SDL of the types `{name}Connection` and `{name}Edge` over nodes of type `node`. */
export const connectionSdl = (name: string, node: string, description: string): string => `
"""A page of ${description}."""
type ${name}Connection {
  """Entries with their cursors."""
  edges: [${name}Edge!]!
  """Entries without cursors."""
  nodes: [${node}!]!
  """Paging information."""
  pageInfo: PageInfo!
}

"""An entry of ${description}."""
type ${name}Edge {
  """Cursor of the entry, for \`after\`."""
  cursor: String!
  """The entry."""
  node: ${node}!
}
`;
