import { LRUCache } from 'lru-cache';

/**
 * A pure function of a text that remembers its last `max` results. A result of undefined is not
 * remembered. Callers share the results: they must not change them.
 */
export function memoize<Result extends object | undefined>(
  compute: (text: string) => Result,
  max: number,
): (text: string) => Result {
  // LRUCache's own `memo` takes twice as long, which session lookups would pay three times.
  const cache = new LRUCache<string, NonNullable<Result>>({ max });
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (result !== undefined) cache.set(text, result);
    return result;
  };
}

/** A function of an object that remembers its result for as long as the object lives. */
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
