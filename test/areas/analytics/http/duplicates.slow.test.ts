import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

const view = (site: string, id?: string) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...(id === undefined ? {} : { id }),
});

describe('an id', () => {
  let client: IngestClient;
  beforeAll(async () => {
    client = await openIngest();
  });
  afterAll(() => client.close());

  it('counts once within a batch', async () => {
    const site = newSite();
    const id = randomUUID();
    expect(
      await client.store(batch, {
        events: [view(site, id), view(site), view(site, id.toUpperCase()), view(site)],
      }),
    ).toMatchObject({ accepted: 3, duplicates: 1 });
    expect(
      (await client.rows(site)).map((row) => row.id).filter((found) => found === id),
    ).toHaveLength(1);
    expect(await client.figures(site)).toMatchObject({
      totals: { events: 3 },
      left_out: { dropped: { duplicate: 1 } },
    });
  });

  it('counts once across requests and endpoints', async () => {
    const site = newSite();
    const id = randomUUID();
    expect(await client.store(track, view(site, id))).toMatchObject({
      accepted: 1,
      duplicates: 0,
    });
    expect(await client.store(track, view(site, id))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect(await client.store(batch, { events: [view(site, id)] })).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    const pixel = await client.ask('GET', `/analytics/pixel.gif?site=${site}&page=/&id=${id}`);
    expect(pixel.headers['x-svc-reason']).toBe('duplicate');
    expect(await client.rows(site)).toHaveLength(1);
  });

  it('counts once when sent concurrently', async () => {
    const site = newSite();
    const id = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 40 }, async () => client.store(track, view(site, id))),
    );
    expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
    expect(results.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(39);
    expect(await client.rows(site)).toHaveLength(1);
  });

  it('is scoped to its site', async () => {
    const [one, two] = [newSite(), newSite()];
    const id = randomUUID();
    expect(await client.store(batch, { events: [view(one, id), view(two, id)] })).toMatchObject({
      accepted: 2,
      duplicates: 0,
    });
  });

  it('of a refused event may be reused', async () => {
    const site = newSite();
    const id = randomUUID();
    expect((await client.ask('POST', track, {}, { ...view(site, id), url: 'data:x' })).status).toBe(
      422,
    );
    expect(await client.store(track, view(site, id))).toMatchObject({
      accepted: 1,
      duplicates: 0,
    });
  });
});

describe('an id is remembered', () => {
  async function dataFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'duplicates-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  it('after a restart', async () => {
    const dataDir = await dataFolder();
    const site = newSite();
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const first = await openIngest({ dataDir });
    expect(await first.store(batch, { events: ids.map((id) => view(site, id)) })).toMatchObject({
      accepted: 20,
    });
    await first.close();
    const second = await openIngest({ dataDir });
    expect(
      await second.store(batch, { events: [...ids, randomUUID()].map((id) => view(site, id)) }),
    ).toMatchObject({ accepted: 1, duplicates: 20 });
    expect(await second.rows(site)).toHaveLength(21);
    await second.close();
  });

  it('after its journal segment is deleted', async () => {
    const dataDir = await dataFolder();
    const journal = join(dataDir, 'journal');
    const env = { JOURNAL_SEGMENT_SIZE: '4KiB' };
    const site = newSite();
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const first = await openIngest({ dataDir, env });
    const written = new Set<string>();
    for (let at = 0; at < ids.length; at += 20) {
      await first.store(batch, { events: ids.slice(at, at + 20).map((id) => view(site, id)) });
      for (const name of (await readdir(journal)).slice(0, -1)) written.add(name);
    }
    await first.app.applied();
    await vi.waitFor(
      async () => expect((await readdir(journal)).filter((name) => written.has(name))).toEqual([]),
      { timeout: 15_000, interval: 100 },
    );
    await first.close();

    const second = await openIngest({ dataDir, env });
    expect(await second.store(batch, { events: ids.map((id) => view(site, id)) })).toMatchObject({
      accepted: 0,
      duplicates: 100,
    });
    expect(await second.rows(site)).toHaveLength(100);
    await second.close();
  }, 60_000);
});
