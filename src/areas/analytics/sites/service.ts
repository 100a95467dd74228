import { isDeepStrictEqual } from 'node:util';
import type { AuditActor } from '../../audit/service.ts';
import { analyticsErrors } from '../errors.ts';
import type { AnalyticsResources } from '../resources.ts';
import { siteEntry } from './audit-entry.ts';
import type { UpdateSiteBody, SiteView } from './schemas.ts';
import { canonicalHost } from './rules.ts';
import type { SiteSettings } from './settings.ts';
import { requireSite } from './sites.ts';
import type { Site, SiteStore } from './store.ts';

const unique = (values: readonly string[]): string[] => [...new Set(values)];

const toView = ({ key, createdAt, closed, settings }: Site): SiteView => ({
  site_id: key,
  created_at: createdAt.toISOString(),
  closed,
  settings,
});

function mergeSettings(
  before: SiteSettings,
  {
    honour_gpc = before.honour_gpc,
    honour_dnt = before.honour_dnt,
    hosts,
    shields = {},
    retention_days = before.retention_days,
    timezone = before.timezone,
  }: UpdateSiteBody,
): SiteSettings {
  const {
    ips = before.shields.ips,
    countries = before.shields.countries,
    pages = before.shields.pages,
  } = shields;
  return {
    honour_gpc,
    honour_dnt,
    retention_days,
    timezone,
    hosts:
      hosts === undefined
        ? before.hosts
        : unique(hosts.flatMap((host) => canonicalHost(host) ?? [])),
    shields: { ips: unique(ips), countries: unique(countries), pages: unique(pages) },
  };
}

const flatten = ({
  closed,
  settings: { shields, ...settings },
}: Pick<Site, 'closed' | 'settings'>): Record<string, unknown> => ({
  closed,
  ...settings,
  'shields.ips': shields.ips,
  'shields.countries': shields.countries,
  'shields.pages': shields.pages,
});

/** Returns the audit details of a change. Addresses are only counted. */
function describeChange(name: string, from: unknown, to: unknown): unknown {
  if (!Array.isArray(from) || !Array.isArray(to)) return { from, to };
  const [added, removed] = [
    to.filter((each) => !from.includes(each)),
    from.filter((each) => !to.includes(each)),
  ];
  return name === 'shields.ips'
    ? { added: added.length, removed: removed.length }
    : { added, removed };
}

/** Returns every changed member, with added and removed values, or old and new value. */
function diffSites(
  before: Pick<Site, 'closed' | 'settings'>,
  after: Pick<Site, 'closed' | 'settings'>,
): Record<string, unknown> {
  const [from, to] = [flatten(before), flatten(after)];
  const names = Object.keys(to).filter((name) => !isDeepStrictEqual(from[name], to[name]));
  return Object.fromEntries(
    names.map((name) => [name, describeChange(name, from[name], to[name])]),
  );
}

/** Manages sites and their settings, for admins. `onChanged` notifies all replicas of a change. */
export function createSiteAdmin(
  { db, sites, audit, clock }: Pick<AnalyticsResources, 'db' | 'sites' | 'audit' | 'clock'>,
  store: SiteStore,
  onChanged: (key: string) => void,
) {
  return {
    getSite,

    /** Registers a site, even if open registration is off. Leaves an existing one unchanged. */
    async createSite(key: string, by: AuditActor): Promise<{ site: SiteView; isNew: boolean }> {
      const isNew = await db.transaction().execute(async (transaction) => {
        const isCreated = await store.register(key, new Date(clock.now()), transaction);
        const entry = siteEntry('analytics.site_registered', key, {}, by);
        if (isCreated) await audit.recordIn(transaction, [entry]);
        return isCreated;
      });
      return { site: await publishChange(key), isNew };
    },

    /** Changes the given settings. Throws `analytics.site_unknown`. */
    async updateSite(key: string, body: UpdateSiteBody, by: AuditActor): Promise<SiteView> {
      await db.transaction().execute(async (transaction) => {
        const before = await store.lock(key, transaction);
        if (before === undefined) throw analyticsErrors.site_unknown();
        const after = {
          closed: body.closed ?? before.closed,
          settings: mergeSettings(before.settings, body),
        };
        const changes = diffSites(before, after);
        if (Object.keys(changes).length === 0) return;
        await store.update(before.id, after, transaction);
        await audit.recordIn(transaction, [siteEntry('analytics.site_changed', key, changes, by)]);
      });
      return publishChange(key);
    },
  };

  /** Throws `analytics.site_unknown`. */
  function getSite(key: string): SiteView {
    return toView(requireSite(sites, key));
  }

  /** Applies the change on this replica before returning, and on the others asynchronously. */
  async function publishChange(key: string): Promise<SiteView> {
    await sites.reload(key);
    onChanged(key);
    return getSite(key);
  }
}
