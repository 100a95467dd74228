import type { Clock } from '../../../lib/clock.ts';
import { analyticsErrors } from '../errors.ts';
import type { SiteRules } from './site-rules.ts';

/** Events that are not to be taken. */
interface Shields {
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

interface SitesDeps {
  store: SiteStore;
  clock: Clock;
  /** Whether unknown sites are registered by their first event. */
  registration: 'open' | 'closed';
  /** How many sites there may be. */
  limit: number;
  /** Whether this address may register one more site today; counts it. */
  mayRegister?: (ip: string) => Promise<boolean>;
}

const refusedMs = 10_000;
const maxRefused = 10_000;

/** Runs work one after the other. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Sites that were refused a moment ago, so that the database isn't asked about each event. */
function createRefusals(clock: Clock) {
  const refused = new Map<string, number>();
  return {
    has: (key: string): boolean => (refused.get(key) ?? 0) > clock.now(),
    add: (key: string): void => {
      if (refused.size > maxRefused) refused.clear();
      refused.set(key, clock.now() + refusedMs);
    },
    delete: (key: string) => refused.delete(key),
  };
}

/** Registers unknown sites, one after the other: many at once must not pass the limit together. */
function createRegistration(
  { store, clock, registration, limit, mayRegister = () => Promise.resolve(true) }: SitesDeps,
  refuse: (key: string) => void,
) {
  const inTurn = createSequence();
  return async (key: string, stranger: string | undefined): Promise<Site | undefined> => {
    if (registration === 'closed') {
      refuse(key);
      return undefined;
    }
    return inTurn(async () => {
      // First, because it costs the database nothing. Not remembered as refused: somebody else may
      // register it the next moment.
      if (stranger !== undefined && !(await mayRegister(stranger))) return undefined;
      if ((await store.count()) < limit) return store.insert(key, new Date(clock.now()));
      refuse(key);
      return undefined;
    });
  };
}

/** What is known of sites, and how an unknown one becomes known. */
export function createSites(deps: SitesDeps) {
  const { store } = deps;
  const known = new Map<string, Site>();
  const refusals = createRefusals(deps.clock);
  const pending = new Map<string, Promise<Site | undefined>>();
  const register = createRegistration(deps, refusals.add);
  const inTurn = createSequence();

  async function resolve(key: string, stranger: string | undefined): Promise<Site | undefined> {
    const site = (await store.find(key)) ?? (await register(key, stranger));
    // By its own name, however it was asked for: a site stands in the list once.
    if (site !== undefined) known.set(site.key, site);
    return site;
  }

  /** In turn: what was read before a change must not replace what was read after it. */
  const reload = (key?: string): Promise<void> =>
    inTurn(async () => {
      const found = key === undefined ? await store.all() : [await store.find(key)];
      for (const site of found) {
        if (site === undefined) continue;
        known.set(site.key, site);
        refusals.delete(site.key);
      }
    });

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
      if (refusals.has(key)) return undefined;
      let found = pending.get(key);
      if (found === undefined) {
        found = resolve(key, stranger).finally(() => pending.delete(key));
        pending.set(key, found);
      }
      return found;
    },

    /** All sites, oldest first. */
    list: (): Site[] => [...known.values()].sort((a, b) => a.id - b.id),
  };
}

export type Sites = ReturnType<typeof createSites>;

/** The site from memory. Throws `analytics.site_unknown`. */
export function requireSite(sites: Pick<Sites, 'peek'>, key: string): Site {
  const site = sites.peek(key);
  if (site === undefined) throw analyticsErrors.site_unknown();
  return site;
}
