import type { Html } from '../../../lib/text/html.ts';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import type { AlarmGroup } from './alarm-groups.ts';
import { AlarmTable } from './alarm-parts.tsx';
import { type AlarmDone, alarmNotice } from './alarms-page.tsx';
import { texts } from './texts/en.ts';

/** The open alarms of a tag, and the notice after one was resolved. */
export const alarmsTab = (
  groups: readonly AlarmGroup[],
  query: AlarmDone,
): { notice: Html | undefined; children: Html } => ({
  notice: alarmNotice(query, 'tag'),
  children: (
    <section class="tile" id="alarms" aria-label={texts.alarmList.title}>
      <AlarmTable
        groups={groups}
        isResolved={false}
        place="tag"
        empty={<EmptyState icon="shield" text={texts.detail.noAlarms} />}
      />
    </section>
  ),
});
