import type { Mismatch } from './day.ts';
import { syntheticTag } from './events.ts';
import { type TableName, tableNames } from './tables.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';

/** Says what an import of Plausible's figures preserves and what it makes up. */
export function plausibleNotice(
  tables: ReadonlyMap<TableName, string>,
  timezone: string,
): string[] {
  const missing = tableNames.filter((name) => !tables.has(name));
  return [
    'Plausible exports daily figures, not events. This import makes up events that add up to them:',
    `  matched for each day (${timezone}): visitors, visits, page views, ` +
      'page views of each page, bounces as far as page views allow,',
    '    total visit duration, visits by source, campaign, country, browser, system and ' +
      'device, number of custom events',
    '  made up: which visit had which pages, source, country and device together, ' +
      'so filters that combine them say nothing;',
    '    entry and exit pages, visitors of single pages (about right), median duration, ' +
      'times within the day',
    `  every such event has the tag ${syntheticTag}`,
    ...(missing.length === 0 ? [] : [`  not in the folder: ${missing.join(', ')}`]),
  ];
}

const sentences: [keyof Mismatch, (count: string) => string][] = [
  [
    'unknownPages',
    (count) => `${count} page views had no page in imported_pages: they are counted as /(unknown)`,
  ],
  [
    'surplusPages',
    (count) =>
      `${count} page views of imported_pages were more than imported_visitors has: left out`,
  ],
  ['visits', (count) => `${count} visits had no page view and no event: left out`],
  ['visitors', (count) => `${count} visitors had no page view and no event: left out`],
  [
    'bounces',
    (count) => `${count} visits of one page view count as bounces here and did not there`,
  ],
];

/** Lists the figures that the imported events do not match. */
export function plausibleSummary({ days, ...mismatch }: Mismatch & { days: number }): string[] {
  const lines = sentences
    .filter(([key]) => mismatch[key] > 0)
    .map(([key, sentence]) => `  ${sentence(formatNumber(mismatch[key]))}`);
  return [
    `${formatNumber(days)} days, ` +
      (lines.length === 0 ? 'all figures matched' : 'with these differences:'),
    ...lines,
  ];
}
