import { z } from 'zod';
import { NfcAlarmView } from '../../../areas/nfc/alarms/schemas.ts';
import type { AlarmKind } from '../../../areas/nfc/tables.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';

/** The alarms of one kind and tag, which count by the hour, as people look at them. */
export interface AlarmGroup {
  kind: AlarmKind;
  /** Null for addresses that no tag has. */
  tagId: string | null;
  tagName: string | null;
  count: number;
  /** ISO 8601. */
  since: string;
  last: string;
}

const pageSize = 100;
const maxPages = 20;

const groupOf = (alarms: readonly NfcAlarmView[]): AlarmGroup[] => {
  const times = alarms.map((alarm) => alarm.created_at).sort();
  const [first] = alarms;
  if (first === undefined) return [];
  return [
    {
      kind: first.kind,
      tagId: first.tag_id,
      tagName: first.tag_name,
      count: alarms.reduce((sum, { count }) => sum + count, 0),
      since: times[0] ?? first.created_at,
      last:
        alarms
          .map(({ last_at: at }) => at)
          .sort()
          .at(-1) ?? first.last_at,
    },
  ];
};

/** Joins the alarms of the same kind and tag, the newest first. */
const groupAlarms = (alarms: readonly NfcAlarmView[]): AlarmGroup[] =>
  [...groupBy(alarms, ({ kind, tag_id: id }) => `${kind} ${id ?? ''}`).values()]
    .flatMap(groupOf)
    .sort((a, b) => b.last.localeCompare(a.last));

interface AlarmFilter {
  resolved: boolean;
  tagId?: string | null | undefined;
  kind?: AlarmKind;
}

async function readPage(
  { service }: BoundResource,
  { resolved, tagId, kind }: AlarmFilter,
  cursor?: string,
): Promise<{ alarms: NfcAlarmView[]; next: string | null }> {
  const { data, next_cursor: next } = await service.list({
    ...{ limit: pageSize, sort: '-last_at', resolved, cursor },
    ...(tagId != null && { tag_id: tagId }),
    ...(kind !== undefined && { kind }),
  });
  return { alarms: z.array(NfcAlarmView).parse(data), next };
}

/** The alarms that a filter selects, at most 2,000. */
async function readAlarms(bound: BoundResource, filter: AlarmFilter): Promise<NfcAlarmView[]> {
  const all: NfcAlarmView[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { alarms, next } = await readPage(bound, filter, cursor);
    all.push(...alarms);
    if (next === null) break;
    cursor = next;
  }
  return all;
}

/** The groups of the newest alarms. */
export const readGroups = async (
  bound: BoundResource,
  filter: AlarmFilter,
): Promise<AlarmGroup[]> => groupAlarms((await readPage(bound, filter)).alarms);

/** Resolves the alarms of a group, or opens them again: those that have happened since a time. */
export async function setResolved(
  bound: BoundResource,
  group: Pick<AlarmGroup, 'kind' | 'tagId' | 'since'>,
  isResolved: boolean,
  by: RequestActor,
): Promise<void> {
  const { kind, tagId, since } = group;
  const alarms = await readAlarms(bound, { resolved: !isResolved, tagId, kind });
  for (const { id, created_at: at, tag_id: ofTag } of alarms)
    if (at >= since && ofTag === tagId)
      await bound.service.update?.(id, { resolved: isResolved }, by);
}
