/** A page in the form of Relay's connections. */
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

/** The arguments of a connection. */
export interface PageArgs {
  first?: number | null;
  after?: string | null;
}

const toCursor = (id: string): string => Buffer.from(id).toString('base64url');

/** The id in the REST API that a cursor stands for; undefined without one. */
export const readCursor = (after: string | null | undefined): string | undefined =>
  after == null ? undefined : Buffer.from(after, 'base64url').toString();

/** The arguments of a connection as the lists of the REST API take them. */
export const toListQuery = <Others extends object>({
  first,
  after,
  ...others
}: PageArgs & Others) => ({ ...others, limit: first, cursor: readCursor(after) });

/** The connection of a page of views. */
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

/** The types of a connection: `name` as in `IncidentConnection`, and the type of its nodes. */
export const connectionSdl = (name: string, node: string, description: string): string => `
"""A page of ${description}."""
type ${name}Connection {
  """The entries with their cursors."""
  edges: [${name}Edge!]!
  """The entries alone."""
  nodes: [${node}!]!
  """Where the page stands."""
  pageInfo: PageInfo!
}

"""An entry of ${description}."""
type ${name}Edge {
  """Where it stands in the whole: for \`after\`."""
  cursor: String!
  """The entry."""
  node: ${node}!
}
`;
