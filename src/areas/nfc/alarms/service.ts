import { sql } from 'kysely';
import { hourMs } from '../../../lib/durations.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { createBatcher } from '../../../platform/database/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ResourceService } from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { NfcParts } from '../compose.ts';
import { nfcAlarmResource } from './resource.ts';
import type { AlarmKind } from '../tables.ts';
import { type NfcAlarmChangeBody, NfcAlarmView } from './schemas.ts';

/** Something that happened at a tag, or at a code that no tag has. */
interface Alarm {
  kind: AlarmKind;
  tagId: string | null;
}

/** Alarms as a resource. */
export function createAlarms(
  parts: NfcParts,
): Pick<
  Required<ResourceService<NfcAlarmView, never, NfcAlarmChangeBody>>,
  'list' | 'get' | 'update'
> {
  const { list, get, update } = createTableService(nfcAlarmResource, {
    ...parts,
    table: 'nfc_alarms',
    kind: 'nfc_alarm',
    actions: { updated: 'nfc.alarm_changed' },
    toView: (row) => NfcAlarmView.parse({ ...viewFromRow(nfcAlarmResource, row), tag_name: null }),
  });
  return {
    async list(query, signal) {
      const page = await list(query, signal);
      return { ...page, data: await withTagNames(parts.db, page.data) };
    },
    get: async (id) => named(await get(id)),
    update: async (id, changes, by) => named(await update(id, changes, by)),
  };

  async function named(alarm: NfcAlarmView): Promise<NfcAlarmView> {
    const [view = alarm] = await withTagNames(parts.db, [alarm]);
    return view;
  }
}

/** Raises alarms. Those of one turn share a statement, and a flood shares rows. */
export function createAlarmRaiser({ db, clock }: NfcParts) {
  const batches = createBatcher(async (alarms: readonly Alarm[]) => {
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

/** Deletes alarms that last happened before a time. Returns how many. */
export async function deleteAlarms(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('nfc_alarms')
    .where('last_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
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

/** Adds the names of the tags, which can change. */
async function withTagNames(
  db: Database,
  alarms: readonly NfcAlarmView[],
): Promise<NfcAlarmView[]> {
  const ids = [...new Set(alarms.flatMap(({ tag_id: id }) => id ?? []))];
  const tags =
    ids.length === 0
      ? []
      : await db.selectFrom('nfc_tags').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return alarms.map((alarm) => ({ ...alarm, tag_name: names.get(alarm.tag_id ?? '') ?? null }));
}
