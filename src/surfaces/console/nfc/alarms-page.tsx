import { z } from 'zod';
import { alarmKinds } from '../../../areas/nfc/tables.ts';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import type { Html } from '../../../lib/text/html.ts';
import { doneNotice } from '../components/notices.tsx';
import { done } from '../schemas.ts';
import type { ConsolePage } from '../layout.tsx';
import type { AlarmGroup } from './alarm-groups.ts';
import { type AlarmPlace, AlarmTable, undoResolve } from './alarm-parts.tsx';
import { alarmsPath, tagsPath } from './nfc-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.alarmList;

/** What a form about alarms has just done, so that it can be undone. */
export const AlarmDone = z.object({
  done,
  kind: z.enum(alarmKinds).optional(),
  since: z.iso.datetime().optional(),
  tag_id: z.uuid().optional(),
});
export type AlarmDone = z.output<typeof AlarmDone>;

/** The notice after a form about alarms, with the form that undoes it. */
export function alarmNotice(
  { done: doneKey, kind, since, tag_id: tagId }: AlarmDone,
  place: AlarmPlace,
): Html | undefined {
  const undo =
    kind !== undefined && since !== undefined && doneKey === 'resolved'
      ? undoResolve({ kind, since, tagId: tagId ?? null }, place)
      : undefined;
  return doneNotice(texts.notices, doneKey, { undo });
}

export interface AlarmsView {
  groups: readonly AlarmGroup[];
  /** How many groups are open. */
  open: number;
  isResolved: boolean;
  query: AlarmDone;
}

/** The alarms of all tags. */
export const alarmsPage = ({ groups, open, isResolved, query }: AlarmsView): ConsolePage => ({
  section: 'nfc',
  title: words.title,
  breadcrumbs: [{ href: tagsPath, text: texts.title }],
  notice: alarmNotice(query, 'all'),
  body: (
    <>
      <p class="lead" safe>
        {words.lead}
      </p>
      <Tabs
        label={words.tabs.label}
        links={[
          { href: alarmsPath, text: words.tabs.open, isCurrent: !isResolved, count: open },
          {
            href: `${alarmsPath}?state=resolved`,
            text: words.tabs.resolved,
            isCurrent: isResolved,
          },
        ]}
      />
      <section class="tile" id="alarms" aria-label={words.title}>
        <AlarmTable
          groups={groups}
          isResolved={isResolved}
          place="all"
          empty={<EmptyState icon="shield" text={isResolved ? words.noneResolved : words.none} />}
        />
      </section>
    </>
  ),
});
