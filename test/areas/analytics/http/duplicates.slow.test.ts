import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import { it } from '../../../support/test.ts';
import { Analytics, batch, newSite, track, useSharedAnalytics, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const viewsWith = (site: string, ids: readonly string[]) => ({
  events: ids.map((id) => view(site, { id })),
});
const newIds = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('an id', () => {
  it('counts once within a batch', async () => {
    const site = newSite();
    const id = randomUUID();
    const events = [
      view(site, { id }),
      view(site),
      view(site, { id: id.toUpperCase() }),
      view(site),
    ];
    expect(await analytics.store(batch, { events })).toMatchObject({ accepted: 3, duplicates: 1 });
    expect((await analytics.rows(site)).filter((row) => row.id === id)).toHaveLength(1);
    expect(await analytics.figures(site)).toMatchObject({
      totals: { events: 3 },
      left_out: { dropped: { duplicate: 1 } },
    });
  });

  it('counts once across requests and endpoints', async () => {
    const site = newSite();
    const id = randomUUID();
    const duplicate = { accepted: 0, duplicates: 1 };
    expect(await analytics.store(track, view(site, { id }))).toMatchObject({
      accepted: 1,
      duplicates: 0,
    });
    expect(await analytics.store(track, view(site, { id }))).toMatchObject(duplicate);
    expect(await analytics.store(batch, viewsWith(site, [id]))).toMatchObject(duplicate);
    const pixel = await analytics.pixel(`?site=${site}&page=/&id=${id}`);
    expect(pixel.headers['x-svc-reason']).toBe('duplicate');
    expect(await analytics.rows(site)).toHaveLength(1);
  });

  it('counts once when sent concurrently', async () => {
    const site = newSite();
    const id = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 40 }, () => analytics.store(track, view(site, { id }))),
    );
    expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
    expect(results.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(39);
    expect(await analytics.rows(site)).toHaveLength(1);
  });

  it('is scoped to its site', async () => {
    const id = randomUUID();
    const events = [view(newSite(), { id }), view(newSite(), { id })];
    expect(await analytics.store(batch, { events })).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it('of a refused event may be reused', async () => {
    const event = view(newSite(), { id: randomUUID() });
    expect(await analytics.tracker.post(track, { ...event, url: 'data:x' })).toMatchObject({
      status: 422,
    });
    expect(await analytics.store(track, event)).toMatchObject({ accepted: 1, duplicates: 0 });
  });
});

describe('an id is remembered', () => {
  async function dataFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'duplicates-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function start(dataDir: string, env: Record<string, string> = {}) {
    const app = await freshApp({ dataDir, env });
    return { service: new Analytics(app), stop: app.close };
  }

  it('after a restart', async () => {
    const dataDir = await dataFolder();
    const site = newSite();
    const ids = newIds(20);
    const first = await start(dataDir);
    await first.service.store(batch, viewsWith(site, ids));
    await first.stop();
    const second = await start(dataDir);
    expect(
      await second.service.store(batch, viewsWith(site, [...ids, randomUUID()])),
    ).toMatchObject({ accepted: 1, duplicates: 20 });
    expect(await second.service.rows(site)).toHaveLength(21);
    await second.stop();
  });

  it('after its journal segment is deleted', async () => {
    const dataDir = await dataFolder();
    const journal = join(dataDir, 'journal');
    const env = { JOURNAL_SEGMENT_SIZE: '4KiB' };
    const site = newSite();
    const ids = newIds(100);
    const first = await start(dataDir, env);
    const written = new Set<string>();
    for (let at = 0; at < ids.length; at += 20) {
      await first.service.store(batch, viewsWith(site, ids.slice(at, at + 20)));
      for (const name of (await readdir(journal)).slice(0, -1)) written.add(name);
    }
    await first.service.app.applied();
    await vi.waitFor(
      async () => expect((await readdir(journal)).filter((name) => written.has(name))).toEqual([]),
      { timeout: 15_000, interval: 100 },
    );
    await first.stop();

    const second = await start(dataDir, env);
    expect(await second.service.store(batch, viewsWith(site, ids))).toMatchObject({
      accepted: 0,
      duplicates: 100,
    });
    expect(await second.service.rows(site)).toHaveLength(100);
    await second.stop();
  }, 60_000);
});
