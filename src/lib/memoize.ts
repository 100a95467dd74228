import { LRUCache } from 'lru-cache';

/**
 * Memoizes a pure function of a string, keeping the last `max` results, except undefined. Callers
 * share the results and must not change them.
 */
export function memoize<Result extends object | undefined>(
  compute: (text: string) => Result,
  max: number,
): (text: string) => Result {
  // LRUCache's own `memo` takes twice as long, and a session lookup calls this three times.
  const cache = new LRUCache<string, NonNullable<Result>>({ max });
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (result !== undefined) cache.set(text, result);
    return result;
  };
}

/** Memoizes a function of an object, keeping the result for the lifetime of the object. */
export function memoizeByObject<Subject extends object, Result>(
  compute: (subject: Subject) => Result,
): (subject: Subject) => Result {
  const results = new WeakMap<Subject, Result>();
  return (subject) => {
    const cached = results.get(subject);
    if (cached !== undefined) return cached;
    const result = compute(subject);
    results.set(subject, result);
    return result;
  };
}

/** Memoizes a function of two objects, keeping the result for the lifetime of both. */
export function memoizeByObjects<One extends object, Other extends object, Result>(
  compute: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const resultsOf = memoizeByObject((one: One) =>
    memoizeByObject((other: Other) => compute(one, other)),
  );
  return (one, other) => resultsOf(one)(other);
}

/** Memoizes a function without arguments. */
export function once<Result extends object>(compute: () => Result): () => Result {
  let result: Result | undefined;
  return () => (result ??= compute());
}
