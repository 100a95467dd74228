import { LRUCache } from 'lru-cache';
import { dayMs } from '../../../../lib/durations.ts';

/** The hashes of a visitor under today's and yesterday's salt. */
export interface VisitorHashes {
  day: number;
  today: string;
  yesterday: string;
}

interface Client {
  country: string | undefined;
  visitors: Map<number, VisitorHashes>;
}

/** Caches country and visitor hashes of recent clients, which covers most events. */
export function createClientCache({
  country,
  visitor,
}: {
  country: (ip: string) => string | undefined;
  visitor: (siteId: number, ip: string, userAgent: string, now: number) => VisitorHashes;
}) {
  const clients = new LRUCache<string, Client>({ max: 20_000 });

  function client(ip: string, userAgent: string): Client {
    const key = `${ip} ${userAgent}`;
    let known = clients.get(key);
    if (known === undefined) {
      known = { country: country(ip), visitors: new Map() };
      clients.set(key, known);
    }
    return known;
  }

  return {
    country: (ip: string, userAgent: string) => client(ip, userAgent).country,

    visitor(siteId: number, ip: string, userAgent: string, now: number): VisitorHashes {
      const { visitors } = client(ip, userAgent);
      const known = visitors.get(siteId);
      if (known?.day === Math.floor(now / dayMs)) return known;
      const hashes = visitor(siteId, ip, userAgent, now);
      visitors.set(siteId, hashes);
      return hashes;
    },
  };
}

export type ClientCache = ReturnType<typeof createClientCache>;
