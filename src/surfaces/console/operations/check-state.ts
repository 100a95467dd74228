import type { CheckState } from '../../../areas/health/monitor.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import type { StateLine } from '../settings/state-lines.tsx';
import { texts } from './texts/en.ts';

const words = texts.health.checks;

/** Whether all checks pass, in a line. */
export function checkState(checks: readonly CheckState[]): StateLine {
  const bad = checks.filter(({ status }) => status !== 'pass');
  if (bad.length === 0) return { tone: 'ok', text: words.allPass({ count: checks.length }) };
  const names = formatList([...new Set(bad.map(({ title }) => title))]);
  const tone = bad.some(({ status }) => status === 'fail') ? 'bad' : 'warn';
  return { tone, text: words.attention({ count: bad.length, names }) };
}
