import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { compareIds, idsWhenStored, killSettings, sendEvents } from './ingest-kill.ts';
import { ask, asAdmin, startService } from './ingest-service.ts';

const count = 2000;

/** Sends visits that have ended, kills the service after this time, and starts it again. */
async function killAfter(milliseconds: number) {
  const env = await killSettings();
  const killed = await startService(env);
  const started = performance.now();
  // Two hours old, one per visitor.
  const ids = await sendEvents(killed.port, count, { timestamp: Date.now() - 2 * 3_600_000 });
  await delay(milliseconds - (performance.now() - started));
  await killed.kill('SIGKILL');
  const service = await startService(env);
  const comparison = compareIds(new Set(ids), await idsWhenStored(service.port, count));
  const { text } = await ask(service.port, '/analytics/dashboard/?site_id=site&period=7d', {
    headers: asAdmin,
  });
  await service.kill('SIGTERM');
  return { comparison, totals: (JSON.parse(text) as { totals: object }).totals };
}

test('a kill while visits are being closed loses no visit and counts none twice', async () => {
  // The service closes visits every 30 s.
  const results = await Promise.all([29_850, 30_050].map(killAfter));
  for (const { comparison, totals } of results) {
    expect(comparison).toEqual({ lost: 0, doubled: 0, foreign: 0 });
    expect(totals).toMatchObject({ events: count, visits: count, visitors: count });
  }
});
