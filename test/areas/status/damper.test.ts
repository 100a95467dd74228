import { describe, expect, it } from 'vitest';
import { damp, type Damped } from '../../../src/areas/status/recording/damper.ts';
import type { ComponentStatus } from '../../../src/areas/status/model.ts';

const words: Record<string, ComponentStatus> = {
  o: 'operational',
  d: 'degraded_performance',
  m: 'major_outage',
};
const letterOf = (status: ComponentStatus) =>
  Object.entries(words).find(([, word]) => word === status)?.[0];

describe('the damped status of a check', () => {
  it.each([
    ['nothing of one bad result', 'oomoo', 'o o o o o'],
    ['better at once', 'mmoom', 'o m1 o3 o3 o3'],
    ['worse by two in a row, from the first on', 'odd', 'o o d2'],
    ['the better of two that differ', 'odmmm', 'o o d2 m3 m3'],
    ['the better of two, the other way round', 'omd', 'o o d2'],
    ['an outage of two while it is degraded already', 'ddmdmm', 'o d1 d1 d1 d1 m5'],
    ['nothing of bad results that do not follow one another', 'omomom', 'o o o o o o'],
  ])('follows the rule: %s', (_what, results, expected) => {
    let state: Damped = {
      shown: { status: 'operational', since: 0 },
      last: { status: 'operational', since: 0 },
    };
    const shown = [...results].map((letter, index) => {
      state = damp(state, { status: words[letter] ?? 'operational', since: index + 1 });
      const { status, since } = state.shown;
      return `${letterOf(status) ?? ''}${since === 0 ? '' : since}`;
    });
    expect(shown.join(' ')).toBe(expected);
  });

  it('is the recorded one until two results are worse', () => {
    const recorded = { status: 'degraded_performance' as const, since: 5 };
    const first = damp({ shown: recorded, last: recorded }, { status: 'major_outage', since: 10 });
    expect(first.shown).toEqual(recorded);
    expect(damp(first, { status: 'major_outage', since: 12 }).shown).toEqual({
      status: 'major_outage',
      since: 10,
    });
  });
});
