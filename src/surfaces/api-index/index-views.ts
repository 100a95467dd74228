import type { RouteRecord } from '../../platform/http/scopes.ts';
import type { ApiTag } from '../../platform/openapi/openapi.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { ApiIndexView, CmykView } from './schemas.ts';

type Area = ApiIndexView['areas'][number];
type Route = Pick<RouteRecord, 'method' | 'url' | 'tags' | 'summary' | 'isHidden'>;

/** Pages are for people, and listed at `/api/v1/web/pages`. */
const pageTag = 'pages';

/** `/things/:id` as in OpenAPI: `/things/{id}`. */
const pathOf = ({ url }: Route): string => url.replaceAll(/:(\w+)/g, '{$1}');

const depthOf = ({ url }: Route): number => url.split('/').length;

/**
 * Reading comes first, then paths without parameters, then non-files, then paths below
 * `/api/`, then short ones.
 */
const rankOf = (route: Route): number[] => [
  route.method === 'GET' ? 0 : 1,
  route.url.includes(':') ? 1 : 0,
  route.url.includes('.') ? 1 : 0,
  route.url.startsWith('/api/') ? 0 : 1,
  depthOf(route),
];

function compareRanks(a: Route, b: Route): number {
  const [ranksOfA, ranksOfB] = [rankOf(a), rankOf(b)];
  const at = ranksOfA.findIndex((rank, index) => rank !== ranksOfB[index]);
  return at < 0 ? a.url.localeCompare(b.url) : (ranksOfA[at] ?? 0) - (ranksOfB[at] ?? 0);
}

/** The documented routes below a prefix such as `/api/v1/`. */
const routesBelow = (routes: readonly Route[], prefix: string): Route[] =>
  routes.filter(({ url, isHidden, tags }) => {
    const isApi = !isHidden && !tags.includes(pageTag);
    return isApi && (prefix === '/api/' || url.startsWith(prefix));
  });

/**
 * The areas with routes below a prefix, in the order of the API reference. `/api/` stands for the
 * whole API, including the paths that begin otherwise.
 */
export function areasBelow(
  prefix: string,
  { routes, tags, baseUrl }: { routes: readonly Route[]; tags: readonly ApiTag[]; baseUrl: string },
): Area[] {
  const byTag = groupBy(routesBelow(routes, prefix), ({ tags: [tag = ''] }) => tag);
  return tags.flatMap(({ name, description: summary }) => {
    const own = byTag.get(name) ?? [];
    const entry = own.toSorted(compareRanks)[0];
    if (entry === undefined) return [];
    return {
      name,
      summary,
      entry: { method: entry.method, path: pathOf(entry) },
      operations: own.length,
      docs: `${baseUrl}/developer/reference/${encodeURIComponent(name)}`,
    };
  });
}

const cmykPath = /^\/api\/(?:auth\/cmyk|cmyk)(?:\/|$)/;

/** The endpoints of cmyk. The mirrors below `/auth/` are left out. */
export const cmykEndpoints = (routes: readonly Route[]): CmykView['endpoints'] =>
  routes
    .filter((route) => !route.isHidden && cmykPath.test(route.url))
    .map((route) => ({
      method: route.method,
      path: pathOf(route),
      summary: route.summary ?? '',
    }));
