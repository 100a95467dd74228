import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';
import { type StatedLimit, statedLimit } from './limits/rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route: the name of its innermost scope. */
    scope?: string;
    /** Error codes of the guards of its scopes. */
    errors?: readonly string[];
  }
  interface FastifyInstance {
    registeredRoutes: RouteOptions[];
  }
}

/** Accepts a request by returning, or refuses it by throwing an AppError. */
export interface Guard {
  (request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Its error codes, for the API reference. */
  errors?: readonly string[];
  /** Further error codes, for unsafe methods only. */
  errorsOfChanges?: readonly string[];
}

/** Documents the error codes of a guard. */
export const refusing = <G extends Guard>(
  { errors = [], errorsOfChanges = [] }: Pick<Guard, 'errors' | 'errorsOfChanges'>,
  guard: G,
): G => Object.assign(guard, { errors, errorsOfChanges });

function errorCodesOf(
  { errors = [], errorsOfChanges = [] }: Guard,
  { method }: RouteOptions,
): readonly string[] {
  return [method].flat().some((each) => !['GET', 'HEAD', 'OPTIONS'].includes(each))
    ? [...errors, ...errorsOfChanges]
    : errors;
}

/** A row of the route table. */
export interface RouteRecord {
  method: string;
  url: string;
  operationId: string | undefined;
  summary: string | undefined;
  /** Left out of the API reference. */
  isHidden: boolean;
  scope: string;
  tags: readonly string[];
  limit: StatedLimit | undefined;
}

/**
 * Turns a guard into a hook, without a promise for a synchronous guard: on hot routes that saves a
 * tenth of the work.
 */
function asHook(guard: Guard): onRequestHookHandler {
  return (request, reply, done) => {
    const refuse = (reason: unknown) =>
      done(reason instanceof Error ? reason : new Error(String(reason)));
    let decision: void | Promise<void>;
    try {
      decision = guard(request, reply);
    } catch (error) {
      refuse(error);
      return;
    }
    // Not `done` itself: a rejection with undefined would then admit the request.
    if (decision === undefined) done();
    else decision.then(() => done(), refuse);
  };
}

/**
 * Opens a named scope: every route that `register` adds gets the scope's name, and `guard` runs
 * before its body is read. The guard runs after the route's rate limit, so that floods are counted
 * before credentials are looked up. Scopes nest: the guards of outer scopes run too.
 */
export function scope(
  app: FastifyInstance,
  name: string,
  guard: Guard | undefined,
  register: (scope: FastifyInstance) => void | Promise<void>,
): void {
  app.register(async (child) => {
    child.addHook('onRoute', (route) => {
      route.config = {
        ...route.config,
        scope: name,
        errors: [
          ...(route.config?.errors ?? []),
          ...(guard === undefined ? [] : errorCodesOf(guard, route)),
        ],
      };
      if (guard === undefined) return;
      const existingHooks = route.onRequest ?? [];
      route.onRequest = [
        ...(Array.isArray(existingHooks) ? existingHooks : [existingHooks]),
        asHook(guard),
      ];
    });
    await register(child);
  });
}

function refuseUnscoped(routes: readonly RouteOptions[]): void {
  const stray = routes.find((route) => route.config?.scope === undefined);
  if (stray !== undefined) {
    throw new Error(
      `The route ${[stray.method].flat().join(',')} ${stray.url} lies in no scope: ` +
        'register it inside scope().',
    );
  }
}

/** Collects the routes. The start fails when one of them is in no scope. */
export function registerRouteTable(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('registeredRoutes', routes);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', (done) => {
    refuseUnscoped(routes);
    done();
  });
}

function isImpliedHead(route: RouteOptions, routes: readonly RouteOptions[]): boolean {
  return (
    route.method === 'HEAD' &&
    routes.some((other) => other.url === route.url && [other.method].flat().includes('GET'))
  );
}

/**
 * Returns the registered routes, one row for each method, without the HEAD routes that GET implies.
 */
export function routeTable(app: FastifyInstance): RouteRecord[] {
  const routes = app.registeredRoutes;
  return routes
    .filter((route) => !isImpliedHead(route, routes))
    .flatMap(({ method, url, schema, config }) =>
      [method].flat().map((name) => ({
        method: name,
        url,
        operationId: schema?.operationId,
        summary: schema?.summary,
        isHidden: schema?.hide === true,
        scope: config?.scope ?? '',
        tags: schema?.tags ?? [],
        limit: statedLimit(config?.rateLimit),
      })),
    );
}
