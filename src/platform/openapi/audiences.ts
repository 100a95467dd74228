import { authPath, shortAuthPath } from '../../lib/site-paths.ts';
import { type OpenApiDocument, type Operation, operationsOf } from './document.ts';

/** Tags of paths that treat all methods alike. */
const anyMethodTags: ReadonlySet<string> = new Set(['development', 'reference']);

/** A key that is equal for the same operation at several paths or methods. */
function sameKey(path: string, method: string, { summary, tags: [tag = ''] = [] }: Operation) {
  if (path.startsWith(shortAuthPath)) return `${method} ${path.replace(shortAuthPath, authPath)}`;
  return anyMethodTags.has(tag) ? `${path} ${summary}` : `${method} ${path}`;
}

/** Whether an operation is for browsers: it answers with a page, or leads to one. */
function isPage({ responses, tags: [tag] = [] }: Operation): boolean {
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const types = new Set(answers.flatMap(([, { content = {} }]) => Object.keys(content)));
  if (types.size > 0) return [...types].join() === 'text/html';
  return tag === 'pages' || (answers.length > 0 && answers.every(([status]) => status === '303'));
}

/**
 * Marks in place what programs have no use for, so that generators of clients can leave it out:
 * `x-alias-of` names the operation that another path or method repeats, `x-page` is true for pages
 * of HTML and the forms on them. Of two paths, the short one is the alias.
 */
export function markOperations({ paths }: OpenApiDocument): void {
  const firsts = new Map<string, Operation>();
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const isShort = ({ path }: { path: string }) => Number(path.startsWith(shortAuthPath));
  for (const { path, method, operation } of all.toSorted((a, b) => isShort(a) - isShort(b))) {
    const key = sameKey(path, method, operation);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, operation);
    else if (first.operationId !== undefined) operation['x-alias-of'] = first.operationId;
  }
  for (const operation of operationsOf({ paths }))
    if (isPage(operation)) operation['x-page'] = true;
}
