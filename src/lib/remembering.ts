import { LRUCache } from 'lru-cache';

/**
 * The same function, which remembers what became of the last `most` texts: for what is read far more often than it
 * changes. A result of undefined is not remembered. What it gives is shared: it must not be changed.
 */
export function remembering<Result extends object>(
  read: (text: string) => Result,
  most: number,
): (text: string) => Result;
export function remembering<Result extends object>(
  read: (text: string) => Result | undefined,
  most: number,
): (text: string) => Result | undefined;
export function remembering<Result extends object>(
  read: (text: string) => Result | undefined,
  most: number,
) {
  const known = new LRUCache<string, Result>({ max: most });
  return (text: string): Result | undefined => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = read(text);
    if (result !== undefined) known.set(text, result);
    return result;
  };
}

/** The same function, which remembers what became of an object for as long as the object lives. */
export function rememberingFor<Subject extends object, Result>(
  make: (subject: Subject) => Result,
): (subject: Subject) => Result {
  const known = new WeakMap<Subject, Result>();
  return (subject) => {
    const before = known.get(subject);
    if (before !== undefined) return before;
    const result = make(subject);
    known.set(subject, result);
    return result;
  };
}
