import type { InjectOptions, RouteOptions } from 'fastify';

export type Method = NonNullable<InjectOptions['method']>;

/** A route with one of its methods, and a URL that it matches. */
export interface Target {
  route: RouteOptions;
  method: Method;
  url: string;
}

/** An id that no record has. */
export const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

export const methodsOf = ({ method }: RouteOptions): Method[] => [method].flat();

/** Returns a URL that the route matches, with `value` for each parameter. */
export const urlOf = ({ url }: RouteOptions, value = unknownId): string =>
  url.replace(/:\w+/g, value).replace('*', 'x');

export const targetsOf = (routes: readonly RouteOptions[], value?: string): Target[] =>
  routes.flatMap((route) =>
    methodsOf(route).map((method) => ({ route, method, url: urlOf(route, value) })),
  );

export const nameOf = ({ method, route }: Target): string => `${method} ${route.url}`;

export const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '');

/** Returns every path that one of the routes matches, once. */
export const pathsOf = (routes: readonly RouteOptions[]): string[] => [
  ...new Set(routes.map((route) => withoutSlash(urlOf(route)))),
];

const patternOf = ({ url }: RouteOptions): RegExp =>
  new RegExp(
    `^${withoutSlash(url).replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')}$`,
  );

/** Returns a function that lists the methods of all routes that match a path. */
export function methodTable(routes: readonly RouteOptions[]): (path: string) => Set<Method> {
  const rows = routes.map((route) => ({ pattern: patternOf(route), methods: methodsOf(route) }));
  const known = new Map<string, Set<Method>>();
  const find = (path: string): Set<Method> =>
    new Set(rows.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods));
  return (url) => {
    const path = withoutSlash(url);
    const found = known.get(path) ?? find(path);
    known.set(path, found);
    return found;
  };
}
