import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may enter: the name of the innermost scope the route lies in. */
    scope?: string;
    /** Codes of what the guards of its scopes refuse with. */
    errors?: readonly string[];
  }
  interface FastifyInstance {
    registeredRoutes: RouteOptions[];
  }
}

/** Lets a request pass by returning, or refuses it by throwing an AppError. */
export interface Guard {
  (request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Codes of what it refuses with, for the reference. */
  errors?: readonly string[];
  /** The same, of methods that change something only. */
  errorsOfChanges?: readonly string[];
}

/** Says what a guard refuses with: codes of errors. */
export const refusing = <G extends Guard>(
  { errors = [], errorsOfChanges = [] }: Pick<Guard, 'errors' | 'errorsOfChanges'>,
  guard: G,
): G => Object.assign(guard, { errors, errorsOfChanges });

function refusalsOf(
  { errors = [], errorsOfChanges = [] }: Guard,
  { method }: RouteOptions,
): readonly string[] {
  return [method].flat().some((each) => !['GET', 'HEAD', 'OPTIONS'].includes(each))
    ? [...errors, ...errorsOfChanges]
    : errors;
}

/** One line of the route table. */
export interface RouteRecord {
  method: string;
  url: string;
  operationId: string | undefined;
  scope: string;
  tags: readonly string[];
}

/** A guard that decides at once costs no promise: on hot routes that is a tenth of the work. */
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
    // Not `done` itself: a rejection without a reason would then let the request in.
    if (decision === undefined) done();
    else decision.then(() => done(), refuse);
  };
}

/**
 * Opens a named scope: every route that `register` adds carries the scope's name and is guarded by
 * `guard` before its body is read. The guard sits on each route after the rate limit, so that
 * floods are counted before credentials are looked up. Scopes nest: the guards of outer scopes run
 * too.
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
          ...(guard === undefined ? [] : refusalsOf(guard, route)),
        ],
      };
      if (guard === undefined) return;
      const before = route.onRequest ?? [];
      route.onRequest = [...(Array.isArray(before) ? before : [before]), asHook(guard)];
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

/** Collects the routes, and refuses to start when one of them lies in no scope. */
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

/** Every registered route, one line a method, without the HEAD routes that GET implies. */
export function routeTable(app: FastifyInstance): RouteRecord[] {
  const routes = app.registeredRoutes;
  return routes
    .filter((route) => !isImpliedHead(route, routes))
    .flatMap(({ method, url, schema, config }) =>
      [method].flat().map((name) => ({
        method: name,
        url,
        operationId: schema?.operationId,
        scope: config?.scope ?? '',
        tags: schema?.tags ?? [],
      })),
    );
}
