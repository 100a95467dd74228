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

function routerOf(routes: readonly RouteOptions[]) {
  const router = findMyWay({ ignoreTrailingSlash: true });
  for (const route of routes) {
    for (const method of [route.method].flat()) {
      if (isMethod(method) && !router.hasRoute(method, route.url))
        router.on(method, route.url, () => undefined, route);
    }
  }
  return router;
}

/** Remembers every route by method, and finds those of other methods that match the same path. */
function createMethodTable() {
  const routes: RouteOptions[] = [];
  let router: ReturnType<typeof routerOf> | undefined;
  return {
    add: (route: RouteOptions): void => void routes.push(route),

    matches(path: string): Match[] {
      // With the first question, when all routes are there: the start does not wait for it.
      const made = (router ??= routerOf(routes));
      return methods.flatMap((method) => {
        const found = made.find(method, path);
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
 * Makes what ends requests that no route takes: 404 where nothing is, 405 with `Allow` where other
 * methods are answered, and OPTIONS with 204 and `Allow` (for cross-origin scopes also the
 * preflight headers). It either answers or throws. `onResponse` runs after these answers, as the
 * hooks of a route would.
 */
export function createUnrouted(app: FastifyInstance, onResponse: onResponseHookHandler) {
  const table = createMethodTable();
  const refuse = (request: FastifyRequest, reply: FastifyReply): void => {
    const found = table.matches(request.raw.url ?? '/');
    const answered = found.some(({ method }) => method === request.method);
    if (found.length === 0 || answered) throw requestErrors.not_found();
    if (request.method === 'OPTIONS') answerOptions(found, request, reply);
    else throw requestErrors.method_not_allowed({ headers: { allow: allowHeader(found) } });
  };
  app.addHook('onRoute', table.add);
  const hooks = { preHandler: [], onResponse };
  app.setNotFoundHandler(hooks, refuse);
  return refuse;
}
