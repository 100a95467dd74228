/** A page as Relay's connections have it. */
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

/** What a page is asked for with. */
export interface PageArgs {
  first?: number | null;
  after?: string | null;
}

const toCursor = (rawId: string): string => Buffer.from(rawId).toString('base64url');

/** The id that a cursor stands for; undefined without one. */
export const readCursor = (after: string | null | undefined): string | undefined =>
  after == null ? undefined : Buffer.from(after, 'base64url').toString();

/** The connection of a page of `nodes`, whose ids in the REST API `rawIdOf` gives. */
export function toConnection<Node>(
  nodes: Node[],
  rawIdOf: (node: Node) => string,
  { hasNextPage, after }: { hasNextPage: boolean; after: string | null | undefined },
): Connection<Node> {
  const edges = nodes.map((node) => ({ cursor: toCursor(rawIdOf(node)), node }));
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
