import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createIdLog } from '../../../../src/areas/analytics/ingest/duplicates/id-log.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { hourMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { Analytics, batch, newSite, track, view } from '../support.ts';

const many = 200_000;

/** Writes `many` ids of other events to disk, as if they had arrived within the window. */
function writeIds(dataDir: string): void {
  const log = createIdLog({ dir: join(dataDir, 'ids'), windowMs: hourMs, clock: systemClock });
  for (let n = 0; n < many; n++)
    log.add(9, `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`);
  log.sync();
  log.close();
}

const site = newSite();
const id = randomUUID();

const dataDir = await mkdtemp(join(tmpdir(), 'ids-at-start-'));
const before = await freshApp({ dataDir });
await new Analytics(before).store(track, view(site, { id }));
await before.close();
writeIds(dataDir);
const app = await freshApp({ dataDir });
const analytics = new Analytics(app);
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

const recentIds = () => app.stores.pipeline.recentIds;

function simulateLoading(): void {
  vi.spyOn(recentIds(), 'isLoaded').mockReturnValue(false);
  vi.spyOn(recentIds(), 'isLoadedWithin').mockResolvedValue(false);
}

describe('while the ids from before a restart are being read', () => {
  it('an event with an id waits for them and is not counted twice', async () => {
    expect(recentIds().isLoaded()).toBe(false);
    expect(await analytics.store(track, view(site, { id }))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect(recentIds().isLoaded()).toBe(true);
    expect(recentIds().ids.size()).toBe(many + 1);
  });

  it('an event with an id gets 503 and Retry-After on a slow load and is not stored', async () => {
    simulateLoading();
    const fresh = randomUUID();
    const event = view(site, { id: fresh });
    for (const response of [
      await analytics.tracker.post(track, event),
      await analytics.tracker.post(batch, { events: [view(site), event] }),
    ]) {
      expect(response).toBeProblem(503, 'analytics.ids_loading');
      expect(response.headers['retry-after']).toBe('5');
    }
    expect(await analytics.pixel(`?site=${site}&page=/&id=${fresh}`)).toMatchObject({
      status: 200,
      headers: { 'x-svc-reason': 'unavailable' },
    });
    vi.restoreAllMocks();
    expect(await analytics.store(track, event)).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('events without an id are accepted', async () => {
    simulateLoading();
    expect(await analytics.store(track, view(site))).toMatchObject({ accepted: 1 });
    expect(await analytics.store(batch, { events: [view(site), view(site)] })).toMatchObject({
      accepted: 2,
    });
    const { headers } = await analytics.pixel(`?site=${site}&page=/`);
    expect(headers['x-svc-reason']).toBeUndefined();
  });

  it('health reports a warning', async () => {
    simulateLoading();
    const check = () =>
      app.services.health.checks().find(({ name }) => name === 'analytics:backlog');
    await expect.poll(check, { timeout: 15_000 }).toMatchObject({
      result: {
        status: 'warn',
        output: expect.stringContaining('ids of recent events') as unknown,
      },
    });
  });

  it('the journal keeps its segments, which hold ids that are not read yet', async () => {
    const release = vi.spyOn(app.stores.pipeline.journal, 'release');
    simulateLoading();
    await analytics.store(track, view(site));
    await app.applied();
    expect(release).not.toHaveBeenCalled();
  });
});
