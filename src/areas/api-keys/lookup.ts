import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { ApiKey } from './store.ts';

interface Entry {
  key: ApiKey | undefined;
  until: number;
}

const ttlMs = 10_000;
const maxEntries = 10_000;

/**
 * Finds keys by hash and caches the result for ten seconds, found or not. Concurrent lookups of a
 * hash share one query. Known keys and unknown hashes have separate caches, so that guesses can't
 * evict keys.
 */
export function createKeyLookup(find: (hash: string) => Promise<ApiKey | undefined>, clock: Clock) {
  const known = new LRUCache<string, Entry>({ max: maxEntries });
  const unknown = new LRUCache<string, Entry>({ max: maxEntries });
  const pending = new Map<string, Promise<ApiKey | undefined>>();
  let generation = 0;

  function cached(hash: string): Entry | undefined {
    const entry = known.get(hash) ?? unknown.get(hash);
    return entry !== undefined && entry.until > clock.now() ? entry : undefined;
  }

  async function query(hash: string): Promise<ApiKey | undefined> {
    const startGeneration = generation;
    const key = await find(hash);
    // A result from before a revocation must not be cached after it.
    if (startGeneration === generation)
      (key === undefined ? unknown : known).set(hash, { key, until: clock.now() + ttlMs });
    return key;
  }

  return {
    async get(hash: string): Promise<ApiKey | undefined> {
      const entry = cached(hash);
      if (entry !== undefined) return entry.key;
      const result = pending.get(hash) ?? query(hash);
      pending.set(hash, result);
      return result.finally(() => {
        if (pending.get(hash) === result) pending.delete(hash);
      });
    },

    /** Clears the caches, and prevents running queries from filling them. */
    forget(): void {
      generation += 1;
      known.clear();
      unknown.clear();
      pending.clear();
    },
  };
}
