import type { FiguresView } from '../../../areas/waitlist/entries/schemas.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { tabs } from '../components/navigation.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

/** The waitlist at a glance, and the list of everyone on it. */
export function waitlistTabs(
  current: 'overview' | 'entries',
  { entries }: Pick<FiguresView, 'entries'>,
): Html {
  const total = Object.values(entries).reduce((sum, count) => sum + count, 0);
  return tabs(texts.title, [
    {
      href: sectionPath('waitlist'),
      text: texts.tabs.overview,
      isCurrent: current === 'overview',
    },
    {
      href: resourcePath(waitlistEntries),
      text: texts.tabs.entries({ count: formatNumber(total) }),
      isCurrent: current === 'entries',
    },
  ]);
}
