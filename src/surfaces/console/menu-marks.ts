import type { Indicator } from '../../areas/status/model.ts';
import type { Tone } from '../../platform/ui/components/badge.tsx';
import type { NavLink } from '../../platform/ui/components/navigation.tsx';
import type { SectionId } from './sections.ts';
import { texts as statusTexts } from './status/texts/en.ts';
import { texts } from './texts/en.ts';
import { countAlarms, type Waiting } from './waiting.ts';

/** What the menu shows beside the names of its pages. */
export type MenuMarks = Readonly<
  Partial<Record<SectionId, Pick<NavLink, 'count' | 'countLabel' | 'countTone' | 'dot'>>>
>;

/** The colour of the state of the service. */
export const indicatorTones: Readonly<Record<Indicator, Tone>> = {
  none: 'ok',
  minor: 'warn',
  major: 'bad',
  critical: 'bad',
  maintenance: 'info',
};

/** The counts of what waits, for admins, and the state of the service, for everybody. */
export function menuMarks(waiting: Waiting | undefined, indicator: Indicator): MenuMarks {
  const { counts } = texts;
  const status = {
    dot: { tone: indicatorTones[indicator], label: statusTexts.overall[indicator] },
  };
  if (waiting === undefined) return { status };
  return {
    status,
    devices: { count: waiting.devices ?? 0, countLabel: counts.devices },
    contact: { count: waiting.messages ?? 0, countLabel: counts.messages },
    waitlist: { count: waiting.people ?? 0, countLabel: counts.people },
    jobs: { count: waiting.failedJobs ?? 0, countLabel: counts.failedJobs, countTone: 'bad' },
    nfc: { count: countAlarms(waiting.alarms), countLabel: counts.alarms, countTone: 'bad' },
  };
}
