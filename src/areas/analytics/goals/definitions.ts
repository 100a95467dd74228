import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import type { DefinitionRow, DefinitionStore } from './definition-store.ts';
import { analyticsErrors } from '../errors.ts';
import type { Site, Sites } from '../sites/sites.ts';

const mostOfSite = 100;

const refusals = {
  goal: {
    unknown: analyticsErrors.goal_unknown,
    exists: analyticsErrors.goal_exists,
    tooMany: analyticsErrors.too_many_goals,
  },
  funnel: {
    unknown: analyticsErrors.funnel_unknown,
    exists: analyticsErrors.funnel_exists,
    tooMany: analyticsErrors.too_many_funnels,
  },
} as const;

export interface DefinitionDeps {
  db: Database;
  sites: Pick<Sites, 'peek' | 'list'>;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
}

/**
 * What admins have written down to be looked for on their sites: goals, or funnels. Names are
 * unique in a site.
 */
export function createDefinitions(
  kind: 'goal' | 'funnel',
  store: DefinitionStore,
  { db, sites, audit, clock }: DefinitionDeps,
) {
  const { unknown, exists, tooMany } = refusals[kind];

  function siteOf(key: string): Site {
    const site = sites.peek(key);
    if (site === undefined) throw analyticsErrors.site_unknown();
    return site;
  }

  const note = (
    transaction: Database,
    verb: 'created' | 'changed' | 'deleted',
    { key }: Site,
    { id, name }: Pick<DefinitionRow, 'id' | 'name'>,
    by: AuditActor,
  ) =>
    audit.recordIn(transaction, [
      {
        ...by,
        action: `analytics.${kind}_${verb}`,
        target: { kind: `analytics_${kind}`, id },
        details: { site_id: key, name },
      },
    ]);

  /** Hands `work` all of the site, while nobody else writes any. */
  const writing = <T>(
    site: Site,
    work: (transaction: Database, rows: DefinitionRow[]) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      await store.lock(transaction, site.id);
      return work(transaction, await store.list(transaction, site.id));
    });

  function found(rows: readonly DefinitionRow[], id: string): DefinitionRow {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw unknown();
    return row;
  }

  return {
    /** Throws `analytics.site_unknown`. */
    siteOf,

    /** Those of a site, oldest first. */
    list: (site: Site): Promise<DefinitionRow[]> => store.list(db, site.id),

    /** One of any site, with its site. Throws when there is none. */
    async get(id: string): Promise<{ row: DefinitionRow; site: Site }> {
      const row = await store.find(db, id);
      const site = sites.list().find((each) => each.id === row?.site);
      if (row === undefined || site === undefined) throw unknown();
      return { row, site };
    },

    /** Throws when the site has one with this name, or as many as it may have. */
    create: (
      site: Site,
      name: string,
      definition: object,
      by: AuditActor,
    ): Promise<DefinitionRow> =>
      writing(site, async (transaction, rows) => {
        if (rows.some((row) => row.name === name)) throw exists();
        if (rows.length >= mostOfSite) throw tooMany();
        const now = clock.now();
        const row: DefinitionRow = {
          id: uuidv7(now),
          site: site.id,
          name,
          definition,
          created_at: new Date(now),
        };
        await store.insert(transaction, row);
        await note(transaction, 'created', site, row, by);
        return row;
      }),

    /** Throws when the site has none with this id, or another one with this name. */
    rename: (site: Site, id: string, name: string, by: AuditActor): Promise<DefinitionRow> =>
      writing(site, async (transaction, rows) => {
        const row = { ...found(rows, id), name };
        if (rows.some((other) => other.name === name && other.id !== id)) throw exists();
        await store.rename(transaction, id, name);
        await note(transaction, 'changed', site, row, by);
        return row;
      }),

    /** Throws when the site has none with this id. */
    remove: (site: Site, id: string, by: AuditActor): Promise<void> =>
      writing(site, async (transaction, rows) => {
        const row = found(rows, id);
        await store.remove(transaction, id);
        await note(transaction, 'deleted', site, row, by);
      }),
  };
}
