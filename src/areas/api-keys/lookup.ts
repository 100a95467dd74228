import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { ApiKey } from './store.ts';

interface Entry {
  key: ApiKey | undefined;
  until: number;
}

const rememberedMs = 10_000;
const entries = 10_000;

/**
 * Finds keys by hash and remembers the answer for ten seconds, found or not. Requests that ask for the same hash at
 * once share one query. Known keys and unknown hashes are kept apart, so that guesses can't push the keys out.
 */
export function createKeyLookup(find: (hash: string) => Promise<ApiKey | undefined>, clock: Clock) {
  const known = new LRUCache<string, Entry>({ max: entries });
  const unknown = new LRUCache<string, Entry>({ max: entries });
  const asked = new Map<string, Promise<ApiKey | undefined>>();
  let generation = 0;

  function remembered(hash: string): Entry | undefined {
    const entry = known.get(hash) ?? unknown.get(hash);
    return entry !== undefined && entry.until > clock.now() ? entry : undefined;
  }

  async function ask(hash: string): Promise<ApiKey | undefined> {
    const begun = generation;
    const key = await find(hash);
    // An answer from before a revocation must not be remembered after it.
    if (begun === generation)
      (key === undefined ? unknown : known).set(hash, { key, until: clock.now() + rememberedMs });
    return key;
  }

  return {
    async get(hash: string): Promise<ApiKey | undefined> {
      const entry = remembered(hash);
      if (entry !== undefined) return entry.key;
      const pending = asked.get(hash) ?? ask(hash);
      asked.set(hash, pending);
      return pending.finally(() => {
        if (asked.get(hash) === pending) asked.delete(hash);
      });
    },

    /** Forgets everything, also the answers that are still on their way. */
    forget(): void {
      generation += 1;
      known.clear();
      unknown.clear();
      asked.clear();
    },
  };
}
