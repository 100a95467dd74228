import { expect, it } from 'vitest';
import { systemRequester } from '../../../../src/platform/http/requests/requester.ts';
import { readGoals } from '../../../../src/surfaces/console/analytics/goals/goal-report.ts';
import type { ConsoleServices } from '../../../../src/surfaces/console/context.ts';

it('counts at most ten funnels for a page, one after another', async () => {
  let [now, most] = [0, 0];
  const plural = async <T>(answer: T): Promise<T> => {
    most = Math.max(most, (now += 1));
    await Promise.resolve();
    now -= 1;
    return answer;
  };
  const names = Array.from({ length: 24 }, (_, at) => `funnel ${at}`);
  const goals = {
    getGoalReport: () => plural({ data: [], visits: 0 }),
  } as unknown as ConsoleServices['goals'];
  const funnels = {
    listFunnels: async () => names.map((id) => ({ id })),
    getFunnelReport: (id: string) => plural({ id }),
  } as unknown as ConsoleServices['funnels'];
  const address = {
    site: 's',
    period: '30d' as const,
    from: undefined,
    to: undefined,
    timezone: 'UTC',
    compare: undefined,
    filters: [],
    bots: false,
  };
  for (const [skipped, last] of [
    [0, 10],
    [20, 24],
    [24, 24],
  ] as const) {
    const report = await readGoals({ goals, funnels }, address, skipped, systemRequester('test'));
    expect([report.funnels.map(({ id }) => id), report.funnelCount]).toEqual([
      names.slice(skipped, last),
      24,
    ]);
  }
  expect(most).toBe(1);
});
