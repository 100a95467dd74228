import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { groupBy } from '../../lib/group-by.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Keys } from '../crypto/keys.ts';
import { createBatcher } from '../database/batcher.ts';
import type { Database } from '../database/database.ts';
import { type AppError, errorOf } from '../errors/errors.ts';
import type { ChangeActor } from '../http/requests/request-actor.ts';
import { createListCursors } from './list-cursor.ts';
import type { Entry, Resource, ResourceService, Values } from './resource.ts';
import { createTableList, type Row, type TableSource } from './table-list.ts';

/** Records changes in their transaction; rejects with the store's error. */
interface AuditTrail<Action extends string> {
  // A method, so that the service of an area with more actions fits.
  // oxlint-disable-next-line typescript/method-signature-style
  recordIn(
    transaction: Database,
    entries: readonly (ChangeActor & {
      action: Action;
      target: { kind: string; id: string };
      details?: Readonly<Record<string, unknown>>;
    })[],
  ): Promise<unknown>;
}

export interface TableServiceOptions<View, Action extends string> extends TableSource<View> {
  db: Database;
  clock: Clock;
  keys: Keys;
  audit: AuditTrail<Action>;
  /** The actions that the audit log records. */
  actions: { created?: Action; updated?: Action; deleted?: Action };
  /** The kind of the audit log's target: `saved_reply`. */
  kind: string;
  /** Columns of a new row besides `id`, `created_at` and `updated_at`. Default: the body. */
  toRow?: (values: Values, by: ChangeActor) => Values;
  /** Columns that a change sets besides `updated_at`. Default: the body. */
  toChanges?: (changes: Values, by: ChangeActor) => Values;
  /** Errors of unique constraints, by constraint name. */
  conflicts?: Readonly<Record<string, () => AppError>>;
}

interface Created {
  row: Values & { id: string };
  by: ChangeActor;
}

function conflictOf(error: unknown, conflicts: Readonly<Record<string, () => AppError>>): unknown {
  if (!(error instanceof Error) || !('constraint' in error)) return error;
  return conflicts[String(error.constraint)]?.() ?? error;
}

const json = (value: unknown): string => JSON.stringify(value);

const columnsOf = (row: Values): string =>
  Object.keys(row)
    .filter((name) => row[name] !== undefined)
    .sort()
    .join();

/**
 * Inserts rows, those with the same columns in one statement, whose types are those of the table.
 * A column that a row leaves out gets its default. Returns the stored rows.
 */
async function insertRows(
  within: Database,
  table: string,
  rows: readonly Values[],
): Promise<readonly (Row & { id: string })[]> {
  const stored: (Row & { id: string })[] = [];
  for (const [columns, group] of groupBy(rows, columnsOf)) {
    const names = sql.join(columns.split(',').map((name) => sql.ref(name)));
    const inserted = await sql<Row & { id: string }>`insert into ${sql.table(table)} (${names})
      select ${names}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${json(group)}::jsonb)
      returning *`.execute(within);
    stored.push(...inserted.rows);
  }
  return stored;
}

/** Where an entry is. */
interface Place {
  id: string;
  /** Columns of the path before the id. */
  parents?: Values | undefined;
}

/** The condition that a row has this id and these values of `parents`. */
const isEntry = ({ id, parents = {} }: Place, table: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    Object.entries({ ...parents, id }).map(
      ([name, value]) => sql`${sql.ref(`${table}.${name}`)} = ${value}`,
    ),
    sql` and `,
  )}`;

/** Changes a row. Returns it; undefined when no row has this id. */
async function updateRow(
  within: Database,
  table: string,
  { id, parents, changes }: Place & { changes: Values },
): Promise<Row | undefined> {
  const assignments = Object.keys(changes).map(
    (name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`,
  );
  const { rows } = await sql<Row>`update ${sql.table(table)} as stored
    set ${sql.join(assignments)}
    from jsonb_populate_record(null::${sql.table(table)}, ${json(changes)}::jsonb) as given
    where ${isEntry({ id, parents }, 'stored')} returning stored.*`.execute(within);
  return rows[0];
}

type Options<View> = TableServiceOptions<View, string> & { resource: Resource };

/** Entries that are added in one turn of the event loop share a transaction. */
function createInserts<View>({
  db,
  clock,
  audit,
  actions: { created: action },
  kind,
  table,
  toRow = (values) => values,
}: Options<View>) {
  const inserts = createBatcher((batch: readonly Created[]) =>
    db.transaction().execute(async (transaction) => {
      const rows = await insertRows(
        transaction,
        table,
        batch.map(({ row }) => row),
      );
      if (action !== undefined)
        await audit.recordIn(
          transaction,
          batch.map(({ row, by }) => ({ ...by, action, target: { kind, id: row.id } })),
        );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return batch.map(({ row }) => byId.get(row.id) ?? row);
    }),
  );

  return (values: Values, by: ChangeActor): Promise<Row> => {
    const now = clock.now();
    const at = new Date(now).toISOString();
    const row = { id: uuidv7(now), ...toRow(values, by), created_at: at, updated_at: at };
    return inserts.add({ row, by });
  };
}

function createChanges<View>(options: Options<View>) {
  const { db, clock, audit, actions, kind, table, toChanges = (changes) => changes } = options;
  const target = (id: string) => ({ kind, id });

  return {
    /** Returns undefined when no row has this id. */
    update: (place: Place, body: Values, by: ChangeActor): Promise<Row | undefined> =>
      db.transaction().execute(async (transaction) => {
        const updated = { updated_at: new Date(clock.now()).toISOString() };
        const changes = { ...toChanges(body, by), ...updated };
        const row = await updateRow(transaction, table, { ...place, changes });
        const action = actions.updated;
        // The names of members, never their values, which may be personal.
        const details = { changed: Object.keys(body) };
        if (row !== undefined && action !== undefined)
          await audit.recordIn(transaction, [{ ...by, action, target: target(place.id), details }]);
        return row;
      }),

    /** Returns false when no row has this id. */
    delete: ({ id, parents }: Place, by: ChangeActor): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql`delete from ${sql.table(table)}
          where ${isEntry({ id, parents }, table)} returning id`.execute(transaction);
        const action = actions.deleted;
        if (rows.length > 0 && action !== undefined)
          await audit.recordIn(transaction, [{ ...by, action, target: target(id) }]);
        return rows.length > 0;
      }),
  };
}

/** The members of a view from the columns of the same names; times as RFC 3339. */
export function viewFromRow(resource: Resource, row: Row): Entry {
  const entry: Entry = { id: '' };
  for (const name of Object.keys(resource.view.shape)) {
    const value = row[name];
    entry[name] = value instanceof Date ? value.toISOString() : value;
  }
  return entry;
}

/** Like a ResourceService, for changes that the service makes itself too. */
export interface TableService<View> extends Pick<
  ResourceService<View, Values, Values>,
  'list' | 'get'
> {
  create: (values: Values, by: ChangeActor, parents?: Values) => Promise<View>;
  update: (id: string, changes: Values, by: ChangeActor, parents?: Values) => Promise<View>;
  delete: (id: string, by: ChangeActor, parents?: Values) => Promise<void>;
}

/**
 * The service of a resource whose entries are rows of one table with the columns `id` (UUID),
 * `created_at` and `updated_at`. Every change is recorded in the audit log, in its transaction.
 */
export function createTableService<View extends Entry, Action extends string>(
  resource: Resource,
  options: TableServiceOptions<View, Action>,
): TableService<View> {
  const { db, keys, table, toView, conflicts = {} } = options;
  const all = { ...options, resource };
  const insert = createInserts(all);
  const changes = createChanges(all);
  const list = createTableList({
    db,
    cursors: createListCursors(keys('list-cursors')),
    resource: { ...resource, filters: { ...resource.filters, ...resource.parents?.shape } },
    source: options,
  });
  const notFound = () => errorOf(resource.notFound) ?? new TypeError(resource.notFound);
  const rethrow = (error: unknown): never => {
    throw conflictOf(error, conflicts);
  };

  return {
    list: (query, signal, parents) => list({ ...query, ...parents }, signal),

    async get(id, parents) {
      const { rows } = await sql<Row>`
        select * from ${sql.table(table)} where ${isEntry({ id, parents }, table)}`.execute(db);
      if (rows[0] === undefined) throw notFound();
      return toView(rows[0]);
    },

    create: async (values, by, parents) =>
      toView(await insert({ ...values, ...parents }, by).catch(rethrow)),

    async update(id, body, by, parents) {
      const row = await changes.update({ id, parents }, body, by).catch(rethrow);
      if (row === undefined) throw notFound();
      return toView(row);
    },

    async delete(id, by, parents) {
      if (!(await changes.delete({ id, parents }, by))) throw notFound();
    },
  };
}
