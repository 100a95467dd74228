import { expect, it } from 'vitest';
import type { Services } from '../../src/app/services.ts';
import { createGoalsSource } from '../../src/app/console-analytics.ts';
import { systemRequester } from '../../src/platform/http/requester.ts';

it('funnels are counted one after another and ten for a page, so that many of them leave room for the questions of others', async () => {
  let [now, most] = [0, 0];
  const counted = async <T>(answer: T): Promise<T> => {
    most = Math.max(most, (now += 1));
    await Promise.resolve();
    now -= 1;
    return answer;
  };
  const names = Array.from({ length: 24 }, (_, at) => `funnel ${at}`);
  const goals = { report: () => counted({ data: [], visits: 0 }) } as unknown as Services['goals'];
  const funnels = {
    list: async () => names.map((id) => ({ id })),
    report: (id: string) => counted({ id }),
  } as unknown as Services['funnels'];
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
    const report = await createGoalsSource({ goals, funnels }).report(
      address,
      skipped,
      systemRequester('test'),
    );
    expect([report.funnels.map(({ id }) => id), report.funnelCount]).toEqual([
      names.slice(skipped, last),
      24,
    ]);
  }
  expect(most).toBe(1);
});
