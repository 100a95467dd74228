import { sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { hourMs } from '../../../lib/durations.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import { createBatching } from '../../../platform/database/batching.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Entry, ResourceService } from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { Audit } from '../../audit/service.ts';
import { nfcAlarmResource } from '../resource.ts';
import type { AlarmKind } from '../tables.ts';
import { type NfcAlarmChangeBody, NfcAlarmView } from './schemas.ts';

export interface AlarmsOptions {
  db: Database;
  clock: Clock;
  keys: Keys;
  audit: Pick<Audit, 'recordIn'>;
}

/** Something that happened at a tag, or at a code that no tag has. */
export interface Alarm {
  kind: AlarmKind;
  tagId: string | null;
}

/** Counts alarms in the row of their tag, kind and hour, which is opened again. */
async function countAlarms(
  db: Database,
  now: number,
  counted: readonly (Alarm & { count: number })[],
): Promise<void> {
  const at = new Date(now);
  await db
    .insertInto('nfc_alarms')
    .values(
      counted.map(({ kind, tagId, count }) => ({
        id: uuidv7(now),
        tag_id: tagId,
        kind,
        hour: new Date(Math.floor(now / hourMs) * hourMs),
        count,
        resolved: false,
        last_at: at,
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.constraint('nfc_alarms_hour').doUpdateSet({
        count: sql`nfc_alarms.count + excluded.count`,
        resolved: false,
        last_at: at,
        updated_at: at,
      }),
    )
    .execute();
}

/** Raises alarms. Those of one turn share a statement, and a flood shares rows. */
export function createAlarmRaising({ db, clock }: Pick<AlarmsOptions, 'db' | 'clock'>) {
  const batches = createBatching(async (alarms: readonly Alarm[]) => {
    const groups = groupBy(alarms, ({ kind, tagId }) => `${kind} ${tagId ?? ''}`);
    const counted = [...groups.values()].flatMap((group) =>
      group.slice(0, 1).map((alarm) => ({ ...alarm, count: group.length })),
    );
    // In one order, so that two replicas never wait for each other.
    counted.sort((a, b) => `${a.tagId}${a.kind}`.localeCompare(`${b.tagId}${b.kind}`));
    await countAlarms(db, clock.now(), counted);
    return alarms;
  });

  return {
    /** Rejects with the store's error. */
    raise: async (alarm: Alarm): Promise<void> => void (await batches.add(alarm)),
  };
}

export type AlarmRaising = ReturnType<typeof createAlarmRaising>;

/** Deletes alarms that last happened before a time. Returns how many. */
export async function deleteAlarms(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('nfc_alarms')
    .where('last_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Adds the names of the tags, which can change. */
async function withTagNames(
  db: Database,
  alarms: readonly NfcAlarmView[],
): Promise<(NfcAlarmView & Entry)[]> {
  const ids = [...new Set(alarms.flatMap(({ tag_id: id }) => id ?? []))];
  const tags =
    ids.length === 0
      ? []
      : await db.selectFrom('nfc_tags').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return alarms.map((alarm) => ({ ...alarm, tag_name: names.get(alarm.tag_id ?? '') ?? null }));
}

/** Alarms as a resource. */
export function createAlarms(
  options: AlarmsOptions,
): Pick<
  Required<ResourceService<NfcAlarmView & Entry, never, NfcAlarmChangeBody>>,
  'list' | 'get' | 'update'
> {
  const { list, get, update } = createTableService(nfcAlarmResource, {
    ...options,
    table: 'nfc_alarms',
    kind: 'nfc_alarm',
    actions: { updated: 'nfc.alarm_changed' },
    toView: (row) => NfcAlarmView.parse({ ...viewFromRow(nfcAlarmResource, row), tag_name: null }),
  });
  async function named(alarm: NfcAlarmView): Promise<NfcAlarmView & Entry> {
    const [view = alarm] = await withTagNames(options.db, [alarm]);
    return view;
  }
  return {
    async list(query, signal) {
      const page = await list(query, signal);
      return { ...page, data: await withTagNames(options.db, page.data) };
    },
    get: async (id) => named(await get(id)),
    update: async (id, changes, by) => named(await update(id, changes, by)),
  };
}
