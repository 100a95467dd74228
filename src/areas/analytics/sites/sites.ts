import type { Clock } from '../../../lib/clock.ts';
import { analyticsErrors } from '../errors.ts';
import type { SiteRules } from './site-rules.ts';

/** Rules that reject events. */
interface Shields {
  /** Addresses, or networks in CIDR notation. */
  ips: readonly string[];
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Paths, in which `*` matches any text. */
  pages: readonly string[];
}

export interface SiteSettings {
  /** Whether `Sec-GPC: 1` makes events count without recognising the visitor. */
  honour_gpc: boolean;
  /** The same for `DNT: 1`. */
  honour_dnt: boolean;
  /** Hosts whose pages are counted, by name or as `*.example.com`; empty: any host. */
  hosts: readonly string[];
  shields: Shields;
  /** How many days events are kept; null: forever. */
  retention_days: number | null;
}

export interface Site {
  /** Number in the event store. */
  id: number;
  /** The public `site_id`. */
  key: string;
  createdAt: Date;
  /** Rejects new events; its figures can still be read. */
  closed: boolean;
  settings: SiteSettings;
  /** The compiled settings that reject events; undefined if there are none. */
  rules: SiteRules | undefined;
}

export interface SiteStore {
  all: () => Promise<Site[]>;
  find: (key: string) => Promise<Site | undefined>;
  count: () => Promise<number>;
  /** Inserts the site, or returns the existing one. */
  insert: (key: string, now: Date) => Promise<Site | undefined>;
}

interface SitesDeps {
  store: SiteStore;
  clock: Clock;
  /** Whether unknown sites are registered by their first event. */
  registration: 'open' | 'closed';
  /** Maximum number of sites. */
  limit: number;
  /** Counts a registration. Resolves to whether the address may register another site today. */
  mayRegister?: (ip: string) => Promise<boolean>;
}

const rejectedMs = 10_000;
const maxRejected = 10_000;

/** Returns a function that runs jobs one at a time, in order. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Caches recently rejected sites, so that not every event queries the database. */
function createRejectedSites(clock: Clock) {
  const rejected = new Map<string, number>();
  return {
    has: (key: string): boolean => (rejected.get(key) ?? 0) > clock.now(),
    add: (key: string): void => {
      if (rejected.size > maxRejected) rejected.clear();
      rejected.set(key, clock.now() + rejectedMs);
    },
    delete: (key: string) => rejected.delete(key),
  };
}

/** Registers unknown sites one at a time, so that concurrent ones can't exceed the limit. */
function createRegistration(
  { store, clock, registration, limit, mayRegister = () => Promise.resolve(true) }: SitesDeps,
  reject: (key: string) => void,
) {
  const runInOrder = createSequence();

  async function insert(key: string): Promise<Site | undefined> {
    if ((await store.count()) < limit) return store.insert(key, new Date(clock.now()));
    reject(key);
    return undefined;
  }

  return {
    /** For an admin: `SITE_REGISTRATION` does not matter. */
    byAdmin: (key: string): Promise<Site | undefined> => runInOrder(() => insert(key)),

    async byEvent(key: string, registrantIp: string | undefined): Promise<Site | undefined> {
      if (registration === 'closed') {
        reject(key);
        return undefined;
      }
      return runInOrder(async () => {
        // Checked first, since it does not query the database. Not cached as rejected: another
        // client may register the site at any moment.
        if (registrantIp !== undefined && !(await mayRegister(registrantIp))) return undefined;
        return insert(key);
      });
    },
  };
}

/** The sites in memory, which follow the database. */
function createSiteMemory(
  store: SiteStore,
  rejectedSites: Pick<ReturnType<typeof createRejectedSites>, 'delete'>,
) {
  const sites = new Map<string, Site>();
  const runInOrder = createSequence();

  /** By the key in the database, which may differ from the given one, so that it is listed once. */
  function remember(site: Site | undefined): Site | undefined {
    if (site === undefined) return undefined;
    sites.set(site.key, site);
    rejectedSites.delete(site.key);
    return site;
  }

  /** In order, so that a result from before a change can't replace one from after it. */
  const reload = (key?: string): Promise<void> =>
    runInOrder(async () => {
      const found = key === undefined ? await store.all() : [await store.find(key)];
      for (const site of found) {
        if (site === undefined) continue;
        sites.set(site.key, site);
        rejectedSites.delete(site.key);
      }
    });

  return { sites, remember, reload };
}

/** Keeps all sites in memory, and registers unknown ones. */
export function createSites(deps: SitesDeps) {
  const { store } = deps;
  const rejectedSites = createRejectedSites(deps.clock);
  const { sites, remember, reload } = createSiteMemory(store, rejectedSites);
  const pending = new Map<string, Promise<Site | undefined>>();
  const register = createRegistration(deps, rejectedSites.add);

  async function resolve(key: string, registrantIp: string | undefined): Promise<Site | undefined> {
    const site = (await store.find(key)) ?? (await register.byEvent(key, registrantIp));
    return remember(site);
  }

  return {
    /** Loads all sites into memory. */
    load: (): Promise<void> => reload(),

    /** Reloads a changed site, or all sites, into memory. */
    reload,

    /** Returns the site from memory, even if closed. Does no I/O. */
    peek: (key: string): Site | undefined => sites.get(key),

    /**
     * Returns the site, and registers it if unknown; undefined if that is not allowed.
     * `registrantIp`: the address to limit by; undefined for trusted requests.
     */
    async get(key: string, registrantIp?: string): Promise<Site | undefined> {
      const site = sites.get(key);
      if (site !== undefined) return site;
      if (rejectedSites.has(key)) return undefined;
      let found = pending.get(key);
      if (found === undefined) {
        found = resolve(key, registrantIp).finally(() => pending.delete(key));
        pending.set(key, found);
      }
      return found;
    },

    /**
     * Returns the site that an admin has named, and registers it if unknown, even where events
     * can't; undefined if there are too many sites.
     */
    add: async (key: string): Promise<Site | undefined> =>
      sites.get(key) ?? remember((await store.find(key)) ?? (await register.byAdmin(key))),

    /** Returns all sites, oldest first. */
    list: (): Site[] => [...sites.values()].sort((a, b) => a.id - b.id),
  };
}

export type Sites = ReturnType<typeof createSites>;

/** Returns the site from memory. Throws `analytics.site_unknown`. */
export function requireSite(sites: Pick<Sites, 'peek'>, key: string): Site {
  const site = sites.peek(key);
  if (site === undefined) throw analyticsErrors.site_unknown();
  return site;
}
