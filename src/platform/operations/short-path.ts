import { authPath, shortAuthPath } from '../../lib/site-paths.ts';
import type { Operation } from './operation.ts';

type Path = Operation<never>['path'];

/** One of the two places of sign-in routes: `/api/auth`, and the short path `/auth`. */
export interface AuthMount {
  /** The path of a route, given the one under `/api/auth`. */
  at: (url: string) => string;
  /** Its operation id, which differs: `authShort.me` for `auth.me`. */
  named: (id: string) => string;
  operations: <Context>(operations: readonly Operation<Context>[]) => Operation<Context>[];
}

/** The operation id of the short path: `authShort.me` for `auth.me`. */
const shortPathId = (id: string): string => id.replace('.', 'Short.');

const isShort = (path: string): path is Path => path.includes(` ${shortAuthPath}`);

function shortPath(path: Path): Path {
  const short = path.replace(` ${authPath}`, ` ${shortAuthPath}`);
  if (!isShort(short)) throw new Error(`${path} is not under ${authPath}`);
  return short;
}

/** Both places, with the same behavior. What is in them is written once, for `/api/auth`. */
export const authMounts: readonly AuthMount[] = [
  { at: (url) => url, named: (id) => id, operations: (operations) => [...operations] },
  {
    at: (url) => url.replace(authPath, shortAuthPath),
    named: shortPathId,
    operations: (operations) =>
      operations.map((operation) => ({
        ...operation,
        id: shortPathId(operation.id),
        path: shortPath(operation.path),
      })),
  },
];

/** Returns operations under `/api/auth`, followed by the same ones under `/auth`. */
export const withShortPath = <Context>(
  operations: readonly Operation<Context>[],
): Operation<Context>[] => authMounts.flatMap((mount) => mount.operations(operations));
