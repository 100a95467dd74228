import type { Clock } from '../../../lib/clock.ts';
import type { SiteRules } from './site-rules.ts';

/** Events that are not to be taken. */
export interface Shields {
  /** Addresses, or networks in CIDR notation. */
  ips: readonly string[];
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Paths, in which `*` stands for any text. */
  pages: readonly string[];
}

export interface SiteSettings {
  /** Sec-GPC: 1 means: count the event without recognising the visitor. */
  honour_gpc: boolean;
  /** The same for DNT: 1. */
  honour_dnt: boolean;
  /** Hosts whose pages are counted, by name or as `*.example.com`; none: those of any host. */
  hosts: readonly string[];
  shields: Shields;
  /** How long events are kept; null: for ever. */
  retention_days: number | null;
}

export interface Site {
  /** Number in the event store. */
  id: number;
  /** The public `site_id`. */
  key: string;
  createdAt: Date;
  /** Its figures can be read, and it takes no events. */
  closed: boolean;
  settings: SiteSettings;
  /** What its settings refuse; undefined when they refuse nothing. */
  rules: SiteRules | undefined;
}

export interface SiteStore {
  all: () => Promise<Site[]>;
  find: (key: string) => Promise<Site | undefined>;
  count: () => Promise<number>;
  /** Inserts the site, or gives the one that is there. */
  insert: (key: string, now: Date) => Promise<Site | undefined>;
}

/** What is known of sites, and how an unknown one becomes known. */
export function createSites({
  store,
  clock,
  registration,
  limit,
  mayRegister = () => Promise.resolve(true),
}: {
  store: SiteStore;
  clock: Clock;
  registration: 'open' | 'closed';
  limit: number;
  /** Whether this address may register one more site today; counts it. */
  mayRegister?: (ip: string) => Promise<boolean>;
}) {
  const known = new Map<string, Site>();
  const refused = new Map<string, number>();
  const asked = new Map<string, Promise<Site | undefined>>();
  let registering: Promise<unknown> = Promise.resolve();
  let reading: Promise<unknown> = Promise.resolve();

  function isRefused(key: string): boolean {
    const until = refused.get(key);
    return until !== undefined && until > clock.now();
  }

  function refuse(key: string): void {
    if (refused.size > 10_000) refused.clear();
    refused.set(key, clock.now() + 10_000);
  }

  async function registerNow(key: string, stranger: string | undefined): Promise<Site | undefined> {
    // First, because it costs the database nothing. Not remembered as refused: somebody else may
    // register it the next moment.
    if (stranger !== undefined && !(await mayRegister(stranger))) return undefined;
    if ((await store.count()) >= limit) {
      refuse(key);
      return undefined;
    }
    return store.insert(key, new Date(clock.now()));
  }

  /** One after the other, so that many new sites at once do not pass the limit together. */
  async function register(key: string, stranger: string | undefined): Promise<Site | undefined> {
    if (registration === 'closed') {
      refuse(key);
      return undefined;
    }
    const turn = registering.then(async () => registerNow(key, stranger));
    registering = turn.catch(() => undefined);
    return turn;
  }

  async function resolve(key: string, stranger: string | undefined): Promise<Site | undefined> {
    const site = (await store.find(key)) ?? (await register(key, stranger));
    // By its own name, however it was asked for: a site stands in the list once.
    if (site !== undefined) known.set(site.key, site);
    return site;
  }

  async function readAgain(key: string | undefined): Promise<void> {
    const found = key === undefined ? await store.all() : [await store.find(key)];
    for (const site of found) {
      if (site === undefined) continue;
      known.set(site.key, site);
      refused.delete(site.key);
    }
  }

  /** One after the other: what was read before a change must not replace what was read after it. */
  async function reload(key?: string): Promise<void> {
    const turn = reading.then(async () => readAgain(key));
    reading = turn.catch(() => undefined);
    return turn;
  }

  return {
    /** Reads all sites into memory. */
    load: (): Promise<void> => reload(),

    /** Reads a site that has changed into memory, or all of them. */
    reload,

    /** The site if it is in memory, closed or not: no I/O. */
    peek: (key: string): Site | undefined => known.get(key),

    /**
     * The site, registered now if that is allowed; undefined when it is not. `stranger`: the
     * address that names it, unless it came with a credential that may write events.
     */
    async get(key: string, stranger?: string): Promise<Site | undefined> {
      const site = known.get(key);
      if (site !== undefined) return site;
      if (isRefused(key)) return undefined;
      let pending = asked.get(key);
      if (pending === undefined) {
        pending = resolve(key, stranger).finally(() => asked.delete(key));
        asked.set(key, pending);
      }
      return pending;
    },

    /** All sites, oldest first. */
    list: (): Site[] => [...known.values()].sort((a, b) => a.id - b.id),
  };
}

export type Sites = ReturnType<typeof createSites>;
