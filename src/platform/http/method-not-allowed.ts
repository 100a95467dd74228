import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onResponseHookHandler,
  RouteOptions,
} from 'fastify';
import findMyWay from 'find-my-way';
import { requestErrors } from '../errors/errors.ts';
import { answerPreflight } from './cross-origin.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof methods)[number];

interface Match {
  method: Method;
  route: RouteOptions;
}

function isMethod(method: string): method is Method {
  return methods.some((known) => known === method);
}

function buildRouter(routes: readonly RouteOptions[]) {
  const router = findMyWay({ ignoreTrailingSlash: true });
  for (const route of routes) {
    for (const method of [route.method].flat()) {
      if (isMethod(method) && !router.hasRoute(method, route.url))
        router.on(method, route.url, () => undefined, route);
    }
  }
  return router;
}

/** The fixed beginning of a route's path, to compare with those of requests. */
const fixedPart = (url: string): string => (/^[^:*]*/.exec(url)?.[0] ?? '').replace(/\/$/, '');

/** The path as the router reads it: percent-encoded letters are letters. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Finds the routes of any method that match a path. A router of all routes takes a tenth of a
 * second to build, so there is one for each fixed beginning, of the routes that can match below it.
 */
function createMatcher(routes: readonly RouteOptions[]) {
  // Of the beginnings that a path has, the longest comes first, and determines the others.
  const begins = [...new Set(routes.map(({ url }) => fixedPart(url)))].sort(
    (a, b) => b.length - a.length,
  );
  const routers = new Map<string, ReturnType<typeof buildRouter>>();
  return (path: string) => {
    const plain = decoded(path);
    const longest = begins.find((begin) => plain.startsWith(begin));
    if (longest === undefined) return undefined;
    const known = routers.get(longest);
    if (known !== undefined) return known;
    const router = buildRouter(routes.filter(({ url }) => longest.startsWith(fixedPart(url))));
    routers.set(longest, router);
    return router;
  };
}

/** Records every route, and finds the routes of any method that match a path. */
function createMethodTable() {
  const routes: RouteOptions[] = [];
  let routerOf: ReturnType<typeof createMatcher> | undefined;
  return {
    add: (route: RouteOptions): void => void routes.push(route),

    matches(path: string): Match[] {
      // Made on first use, when all routes are registered.
      const router = (routerOf ??= createMatcher(routes))(path);
      if (router === undefined) return [];
      return methods.flatMap((method) => {
        const found = router.find(method, path);
        return found === null ? [] : [{ method, route: found.store as RouteOptions }];
      });
    },
  };
}

function allowHeader(found: readonly Match[]): string {
  return [...new Set([...found.map(({ method }) => method), 'OPTIONS'])].join(', ');
}

function answerOptions(
  found: readonly Match[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  answerPreflight(
    request,
    reply,
    found.map(({ method, route: { config } }) => ({
      method,
      ...(config === undefined ? {} : { config }),
    })),
  );
  void reply
    .code(204)
    .headers({ allow: allowHeader(found) })
    .send();
}

/**
 * Creates the handler of requests without a route: 404 for an unknown path, 405 with `Allow` for a
 * path with other methods, and 204 with `Allow` for OPTIONS (with the preflight headers in
 * cross-origin scopes). It either answers or throws. `onResponse` runs after these responses, like
 * the hooks of a route.
 */
export function createUnroutedHandler(app: FastifyInstance, onResponse: onResponseHookHandler) {
  const table = createMethodTable();
  const refuse = (request: FastifyRequest, reply: FastifyReply): void => {
    const found = table.matches(request.raw.url ?? '/');
    const isMethodRouted = found.some(({ method }) => method === request.method);
    if (found.length === 0 || isMethodRouted) throw requestErrors.not_found();
    if (request.method === 'OPTIONS') answerOptions(found, request, reply);
    else throw requestErrors.method_not_allowed({ headers: { allow: allowHeader(found) } });
  };
  app.addHook('onRoute', table.add);
  const hooks = { preHandler: [], onResponse };
  app.setNotFoundHandler(hooks, refuse);
  return refuse;
}
