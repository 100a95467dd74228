import { LRUCache } from 'lru-cache';

// Time zones come from people, who can write each in many ways.
const max = 200;

/** Keeps the formatters that `create` makes: a new one takes up to 0.1 ms, using it 1 µs. */
export function cacheFormatters<Key extends readonly (string | number)[], Formatter extends object>(
  create: (...key: Key) => Formatter,
): (...key: Key) => Formatter {
  const formatters = new LRUCache<string, Formatter>({ max });
  return (...key) => {
    const name = key.join(' ');
    const cached = formatters.get(name);
    if (cached !== undefined) return cached;
    const formatter = create(...key);
    formatters.set(name, formatter);
    return formatter;
  };
}
