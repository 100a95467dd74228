import { LRUCache } from 'lru-cache';
import { dayMs } from '../../../../lib/durations.ts';

/** What the request tells about who sent it. */
export interface RequestContext {
  /** When the request arrived, Unix ms. */
  receivedAt: number;
  ip: string;
  userAgent: string;
  acceptLanguage: string | undefined;
  /** The visitor asked not to be recognised (Sec-GPC: 1). */
  optOut: { gpc: boolean; dnt: boolean };
  /**
   * Sent with a credential that may write (an API key, an admin's session): any age, own ip and
   * user agent.
   */
  isTrusted: boolean;
  /** Milliseconds to add to client timestamps (received - sent_at). */
  clockSkewMs: number;
}

/** A visitor's hash under today's salt and under yesterday's. */
export interface VisitorHashes {
  day: number;
  today: string;
  yesterday: string;
}

interface Client {
  country: string | undefined;
  visitors: Map<number, VisitorHashes>;
}

export interface ClientDeps {
  country: (ip: string) => string | undefined;
  visitor: (siteId: number, ip: string, userAgent: string, now: number) => VisitorHashes;
}

/**
 * Remembers country and visitor hashes of recent clients, so that most events cost no lookup and no
 * hash.
 */
export function createClientCache({ country, visitor }: ClientDeps) {
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
      const pair = visitor(siteId, ip, userAgent, now);
      visitors.set(siteId, pair);
      return pair;
    },
  };
}

export type ClientCache = ReturnType<typeof createClientCache>;
