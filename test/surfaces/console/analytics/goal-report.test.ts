import { expect, it } from 'vitest';
import { systemRequester } from '../../../../src/platform/http/requests/requester.ts';
import { readGoals } from '../../../../src/surfaces/console/analytics/goals/goal-report.ts';
import { viewParams } from './view-params.ts';
import type { ConsoleServices } from '../../../../src/surfaces/console/context.ts';

it('reads the reports of at most ten funnels per page, one at a time', async () => {
  let [running, most] = [0, 0];
  const tracked = async <T>(answer: T): Promise<T> => {
    most = Math.max(most, (running += 1));
    await Promise.resolve();
    running -= 1;
    return answer;
  };
  const names = Array.from({ length: 24 }, (_, at) => `funnel ${at}`);
  const goals = {
    getGoalReport: () => tracked({ data: [], visits: 0 }),
  } as unknown as ConsoleServices['goals'];
  const funnels = {
    listFunnels: async () => names.map((id) => ({ id })),
    getFunnelReport: (id: string) => tracked({ id }),
  } as unknown as ConsoleServices['funnels'];
  for (const [skipped, last] of [
    [0, 10],
    [20, 24],
    [24, 24],
  ] as const) {
    const report = await readGoals(
      { goals, funnels },
      viewParams(),
      skipped,
      systemRequester('test'),
    );
    expect(report.funnels.map(({ id }) => id)).toEqual(names.slice(skipped, last));
    expect(report.funnelCount).toBe(24);
  }
  expect(most).toBe(1);
});
