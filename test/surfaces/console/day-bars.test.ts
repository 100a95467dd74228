import { expect, test } from 'vitest';
import { dayBars } from '../../../src/surfaces/console/status/labels.tsx';

test('the days of a component are one path for each run of equal days, up to the last bar', () => {
  const days = (['operational', 'operational', 'major_outage', 'no_data'] as const).map(
    (worst, at) => ({ day: `2026-11-0${at + 1}`, worst, ms: {} }),
  );
  const svg = String(dayBars({ days }));
  expect(svg).toContain('viewBox="0 0 38 20"');
  expect([...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)).toEqual([
    'M0 10h20',
    'M20 10h10',
    'M30 10h10',
  ]);
});
