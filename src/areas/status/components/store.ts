import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { ComponentStatus } from '../model.ts';

/** Check settings of a component. */
export const settingsSchema = z.object({
  /** Seconds between checks. */
  interval_s: z.int().min(15).max(3600),
  /** Timeout of a check in ms. */
  timeout_ms: z.int().min(100).max(30_000),
  /** HTTP status codes that count as success; null: 200 to 399. */
  expected_status: z.array(z.int().min(100).max(599)).min(1).max(20).nullable(),
});
export const defaultSettings: Settings = {
  interval_s: 60,
  timeout_ms: 10_000,
  expected_status: null,
};
export type Settings = z.output<typeof settingsSchema>;

/** A stored component. Times are Unix ms. */
export interface ComponentRecord {
  id: string;
  name: string;
  description: string | null;
  group: string | null;
  position: number;
  source: 'builtin' | 'http' | 'tcp';
  target: string | null;
  settings: Settings;
  onlyShowIfDegraded: boolean;
  checkStatus: ComponentStatus;
  checkSince: number;
  createdAt: number;
  updatedAt: number;
}

type Changeable = Pick<
  ComponentRecord,
  'name' | 'description' | 'group' | 'position' | 'target' | 'settings' | 'onlyShowIfDegraded'
>;
/** Undefined fields stay unchanged. */
export type ComponentPatch = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

function toRecord(row: Selectable<Tables['status_components']>): ComponentRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    group: row.group_name,
    position: row.position,
    source: row.source,
    target: row.target,
    settings: settingsSchema.parse(row.settings),
    onlyShowIfDegraded: row.only_show_if_degraded,
    checkStatus: row.check_status,
    checkSince: row.check_since.getTime(),
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

const toRow = (record: ComponentRecord) => ({
  id: record.id,
  name: record.name,
  description: record.description,
  group_name: record.group,
  position: record.position,
  source: record.source,
  target: record.target,
  settings: JSON.stringify(record.settings),
  only_show_if_degraded: record.onlyShowIfDegraded,
  check_status: record.checkStatus,
  check_since: new Date(record.checkSince),
  created_at: new Date(record.createdAt),
  updated_at: new Date(record.updatedAt),
  archived_at: null,
});

/** The table `status_components`. Every method takes the database or a transaction. */
export const componentStore = {
  /** Components that are not archived, in display order. */
  async list(db: Database): Promise<ComponentRecord[]> {
    return (
      await db
        .selectFrom('status_components')
        .selectAll()
        .where('archived_at', 'is', null)
        .orderBy('position')
        .orderBy('id')
        .execute()
    ).map(toRecord);
  },

  /** Locks the row until the transaction ends. Undefined for archived components. */
  async lock(transaction: Database, id: string): Promise<ComponentRecord | undefined> {
    const row = await transaction
      .selectFrom('status_components')
      .selectAll()
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row === undefined ? undefined : toRecord(row);
  },

  /** Returns which of the ids are not archived, and locks those rows until the transaction ends. */
  async lockPresent(transaction: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await transaction
      .selectFrom('status_components')
      .select('id')
      .where('id', 'in', ids)
      .where('archived_at', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    return new Set(rows.map(({ id }) => id));
  },

  /**
   * Inserts records, except those whose id is taken, also by an archived component. Returns the
   * number of inserted rows.
   */
  async insert(db: Database, records: readonly ComponentRecord[]): Promise<number> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('status_components')
      .values(records.map(toRow))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(numInsertedOrUpdatedRows);
  },

  async update(
    db: Database,
    id: string,
    { name, description, group, position, target, settings, onlyShowIfDegraded }: ComponentPatch,
    at: Date,
  ): Promise<void> {
    await db
      .updateTable('status_components')
      .set({
        name,
        description,
        group_name: group,
        position,
        target,
        only_show_if_degraded: onlyShowIfDegraded,
        updated_at: at,
        settings: settings === undefined ? undefined : JSON.stringify(settings),
      })
      .where('id', '=', id)
      .execute();
  },

  async archive(db: Database, id: string, at: Date): Promise<void> {
    await db
      .updateTable('status_components')
      .set({ archived_at: at })
      .where('id', '=', id)
      .execute();
  },

  async setCheck(db: Database, id: string, status: ComponentStatus, since: Date): Promise<void> {
    await db
      .updateTable('status_components')
      .set({ check_status: status, check_since: since })
      .where('id', '=', id)
      .execute();
  },
};
