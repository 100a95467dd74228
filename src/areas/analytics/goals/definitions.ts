import { z } from 'zod';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AuditActor } from '../../audit/service.ts';
import { analyticsErrors } from '../errors.ts';
import type { AnalyticsResources } from '../resources.ts';
import { siteEntry } from '../sites/audit-entry.ts';
import { requireSite } from '../sites/sites.ts';
import type { Site } from '../sites/store.ts';
import { createDefinitionStore, type DefinitionRow } from './store.ts';

const maxPerSite = 100;

const errors = {
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

type Kind = keyof typeof errors;

/** A definition that was deleted, with all that brings it back. */
export const RemovedDefinition = z.object({
  id: z.uuid(),
  name: z.string(),
  definition: z.unknown(),
  created_at: z.coerce.date(),
});
export type RemovedDefinition = z.output<typeof RemovedDefinition>;

/**
 * Manages the goals, or funnels, that admins have defined for sites. Names are unique within a
 * site. All methods throw `analytics.site_unknown`, and `.goal_unknown` or `.funnel_unknown`.
 */
export function createDefinitions<T extends object>(
  kind: Kind,
  parse: (definition: unknown) => T,
  { db, sites, audit, clock }: Pick<AnalyticsResources, 'db' | 'sites' | 'audit' | 'clock'>,
) {
  const { unknown, exists, tooMany } = errors[kind];
  const store = createDefinitionStore(`${kind}s`);

  return {
    /** Lists the definitions of a site, oldest first. */
    list: async (key: string) => {
      const site = requireSite(sites, key);
      return (await store.list(db, site.id)).map((row) => toView(site, row));
    },

    /** Returns the definition with this id, and its site. */
    async get(id: string) {
      const row = await store.find(db, id);
      const site = sites.list().find((each) => each.id === row?.site);
      if (row === undefined || site === undefined) throw unknown();
      return { view: toView(site, row), site };
    },

    /** Throws if the site has one with this name, or has reached the limit. */
    async create(site: Site, name: string, definition: object, by: AuditActor) {
      const now = clock.now();
      const row = { id: uuidv7(now), site: site.id, name, definition, created_at: new Date(now) };
      await write(site, 'created', by, async (transaction, rows) => {
        requireRoom(rows, row);
        await store.insert(transaction, row);
        return row;
      });
      return toView(site, row);
    },

    /** Throws if the site has another one with this name. */
    rename: async (key: string, id: string, name: string, by: AuditActor) =>
      write(requireSite(sites, key), 'changed', by, async (transaction, rows) => {
        const row = { ...requireRow(rows, id), name };
        if (rows.some((other) => other.name === name && other.id !== id)) throw exists();
        await store.rename(transaction, id, name);
        return row;
      }).then((row) => toView(requireSite(sites, key), row)),

    /** Returns what was deleted, for `restore`. */
    delete: async (key: string, id: string, by: AuditActor): Promise<RemovedDefinition> => {
      const site = requireSite(sites, key);
      const { name, definition, created_at } = await write(
        site,
        'deleted',
        by,
        async (at, rows) => {
          const row = requireRow(rows, id);
          await store.delete(at, id);
          return row;
        },
      );
      return { id, name, definition, created_at };
    },

    /** Brings back what was deleted, with its id. Throws as `create` does. */
    restore: async (key: string, removed: RemovedDefinition, by: AuditActor): Promise<void> => {
      const site = requireSite(sites, key);
      await write(site, 'created', by, async (transaction, rows) => {
        requireRoom(rows, removed);
        const row = { ...removed, site: site.id };
        await store.insert(transaction, row);
        return row;
      });
    },
  };

  /** Runs `work` with the site locked for other writers, and audits the row that it returns. */
  function write(
    site: Site,
    verb: 'created' | 'changed' | 'deleted',
    by: AuditActor,
    work: (transaction: Database, rows: DefinitionRow[]) => Promise<DefinitionRow>,
  ) {
    return db.transaction().execute(async (transaction) => {
      await store.lock(transaction, site.id);
      const row = await work(transaction, await store.list(transaction, site.id));
      const details = { site_id: site.key, name: row.name };
      const entry = siteEntry(`analytics.${kind}_${verb}`, row.id, details, by);
      await audit.recordIn(transaction, [entry]);
      return row;
    });
  }

  function requireRoom(
    rows: readonly DefinitionRow[],
    { id, name }: Pick<DefinitionRow, 'id' | 'name'>,
  ): void {
    if (rows.some((row) => row.name === name || row.id === id)) throw exists();
    if (rows.length >= maxPerSite) throw tooMany();
  }

  function toView(site: Site, { id, name, definition, created_at: createdAt }: DefinitionRow) {
    const created = { created_at: createdAt.toISOString() };
    return { id, site_id: site.key, name, ...parse(definition), ...created };
  }

  function requireRow(rows: readonly DefinitionRow[], id: string): DefinitionRow {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw unknown();
    return row;
  }
}
