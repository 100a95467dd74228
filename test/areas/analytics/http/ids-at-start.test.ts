import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createIdLog } from '../../../../src/areas/analytics/ingest/duplicates/id-log.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

const view = (site: string, id?: string) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...(id === undefined ? {} : { id }),
});

const many = 200_000;

/** Writes `many` ids of other events to disk, as if they had arrived within the window. */
function writeIds(dataDir: string): void {
  const log = createIdLog({ dir: join(dataDir, 'ids'), windowMs: 3_600_000, clock: systemClock });
  for (let n = 0; n < many; n++)
    log.add(9, `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`);
  log.sync();
  log.close();
}

let client: IngestClient;
let dataDir: string;
const site = newSite();
const id = randomUUID();

describe('while the ids from before a restart are being read', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ids-at-start-'));
    const before = await openIngest({ dataDir });
    await before.store(track, view(site, id));
    await before.close();
    writeIds(dataDir);
    client = await openIngest({ dataDir });
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const recentIds = () => client.app.stores.pipeline.recentIds;

  function simulateLoading(): void {
    vi.spyOn(recentIds(), 'isLoaded').mockReturnValue(false);
    vi.spyOn(recentIds(), 'isLoadedWithin').mockResolvedValue(false);
  }

  it('an event with an id waits for them and is not counted twice', async () => {
    expect(recentIds().isLoaded()).toBe(false);
    expect(await client.store(track, view(site, id))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect(recentIds().isLoaded()).toBe(true);
    expect(recentIds().ids.size()).toBe(many + 1);
  });

  it('an event with an id gets 503 and Retry-After on a slow load and is not stored', async () => {
    simulateLoading();
    const fresh = randomUUID();
    for (const [path, body] of [
      [track, view(site, fresh)],
      [batch, { events: [view(site), view(site, fresh)] }],
    ] as const) {
      const { status, headers, body: problem } = await client.ask('POST', path, {}, body);
      expect({ status, 'retry-after': headers['retry-after'], problem }).toMatchObject({
        status: 503,
        'retry-after': '5',
        problem: { code: 'analytics.ids_loading' },
      });
    }
    const pixel = await client.ask('GET', `/analytics/pixel.gif?site=${site}&page=/&id=${fresh}`);
    expect({ status: pixel.status, 'x-svc-reason': pixel.headers['x-svc-reason'] }).toEqual({
      status: 200,
      'x-svc-reason': 'unavailable',
    });
    vi.restoreAllMocks();
    expect(await client.store(track, view(site, fresh))).toMatchObject({
      accepted: 1,
      duplicates: 0,
    });
  });

  it('events without an id are accepted', async () => {
    simulateLoading();
    expect(await client.store(track, view(site))).toMatchObject({ accepted: 1 });
    expect(await client.store(batch, { events: [view(site), view(site)] })).toMatchObject({
      accepted: 2,
    });
    expect(
      (await client.ask('GET', `/analytics/pixel.gif?site=${site}&page=/`)).headers['x-svc-reason'],
    ).toBeUndefined();
  });

  it('health reports a warning', async () => {
    simulateLoading();
    const check = () =>
      client.app.services.health.checks().find(({ name }) => name === 'analytics:backlog');
    await expect.poll(check, { timeout: 15_000 }).toMatchObject({
      result: {
        status: 'warn',
        output: expect.stringContaining('ids of recent events') as unknown,
      },
    });
  });

  it('the journal keeps its segments, which hold ids that are not read yet', async () => {
    const release = vi.spyOn(client.app.stores.pipeline.journal, 'release');
    simulateLoading();
    await client.store(track, view(site));
    await client.app.applied();
    expect(release).not.toHaveBeenCalled();
  });
});
