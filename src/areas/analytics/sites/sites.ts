import type { Clock } from '../../../lib/clock.ts';
import { analyticsErrors } from '../errors.ts';
import type { Site, SiteStore } from './store.ts';

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

/**
 * Keeps all sites in memory, and registers unknown ones: at most `limit`, and by their first event
 * if `registration` is open. `mayRegister` counts a registration, and resolves to whether the
 * address may register another site today.
 */
export function createSites({
  store,
  clock,
  registration,
  limit,
  mayRegister = () => Promise.resolve(true),
}: {
  store: Pick<SiteStore, 'all' | 'find' | 'count' | 'insert'>;
  clock: Clock;
  registration: () => 'open' | 'closed';
  limit: number;
  mayRegister?: (ip: string) => Promise<boolean>;
}) {
  const sites = new Map<string, Site>();
  const pending = new Map<string, Promise<Site | undefined>>();
  /** Until when recently rejected sites are not looked up again. */
  const rejected = new Map<string, number>();
  const [registerInOrder, reloadInOrder] = [createSequence(), createSequence()];

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
      if ((rejected.get(key) ?? 0) > clock.now()) return undefined;
      let found = pending.get(key);
      if (found === undefined) {
        found = findOrRegister(key, registrantIp).finally(() => pending.delete(key));
        pending.set(key, found);
      }
      return found;
    },

    /**
     * Returns the site that an admin has named, and registers it if unknown, even where events
     * can't; undefined if there are too many sites.
     */
    add: async (key: string): Promise<Site | undefined> =>
      sites.get(key) ??
      remember((await store.find(key)) ?? (await registerInOrder(() => insert(key)))),

    /** Returns all sites, oldest first. */
    list: (): Site[] => [...sites.values()].sort((a, b) => a.id - b.id),
  };

  /** In order, so that a result from before a change can't replace one from after it. */
  function reload(key?: string): Promise<void> {
    return reloadInOrder(async () => {
      const found = key === undefined ? await store.all() : [await store.find(key)];
      for (const site of found) remember(site);
    });
  }

  /** By the key in the database, which may differ from the given one, so that it is listed once. */
  function remember(site: Site | undefined): Site | undefined {
    if (site === undefined) return undefined;
    sites.set(site.key, site);
    rejected.delete(site.key);
    return site;
  }

  async function findOrRegister(key: string, ip: string | undefined): Promise<Site | undefined> {
    return remember((await store.find(key)) ?? (await registerByEvent(key, ip)));
  }

  /** Registers one at a time, so that concurrent ones can't exceed the limit. */
  async function registerByEvent(key: string, ip: string | undefined): Promise<Site | undefined> {
    if (registration() === 'closed') {
      reject(key);
      return undefined;
    }
    return registerInOrder(async () => {
      // Checked first, since it does not query the database. Not cached as rejected: another
      // client may register the site at any moment.
      if (ip !== undefined && !(await mayRegister(ip))) return undefined;
      return insert(key);
    });
  }

  async function insert(key: string): Promise<Site | undefined> {
    if ((await store.count()) < limit) return store.insert(key, new Date(clock.now()));
    reject(key);
    return undefined;
  }

  /** Not every event of a rejected site queries the database. */
  function reject(key: string): void {
    if (rejected.size > maxRejected) rejected.clear();
    rejected.set(key, clock.now() + rejectedMs);
  }
}

export type Sites = ReturnType<typeof createSites>;

/** Returns the site from memory. Throws `analytics.site_unknown`. */
export function requireSite(sites: Pick<Sites, 'peek'>, key: string): Site {
  const site = sites.peek(key);
  if (site === undefined) throw analyticsErrors.site_unknown();
  return site;
}
