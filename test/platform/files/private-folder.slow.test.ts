import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asAdmin, post, startService, storedIds } from '../../faults/ingest-service.ts';
import { loosen, modesIn, openIn } from './modes.ts';

let parent = '';
let folder = '';
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'private-')));
  folder = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('the data folder of a running service', () => {
  it('is private with all its files, even if it was accessible to others before', async () => {
    const env = { DATA_DIR: folder };
    const eventId = randomUUID();
    // The usual umask of users, independent of the test run's.
    const before = process.umask(0o022);
    const first = await startService(env).finally(() => process.umask(before));
    const event = { event: 'pageview', site_id: 'private', url: '/', id: eventId };
    expect(await post(first.port, '/analytics/track/', event)).toMatchObject({ status: 200 });
    await expect.poll(() => storedIds(first.port)).toEqual([eventId]);
    const body = { format: 'parquet' };
    const parquet = await post(first.port, '/analytics/export/events/', body, { headers: asAdmin });
    expect(parquet.status).toBe(200);
    expect(parquet.text.slice(0, 4)).toBe('PAR1');
    const made = await modesIn(folder);
    for (const name of [
      'process.lock',
      'auth-secret',
      'events.duckdb',
      'events.duckdb.wal',
      'events.duckdb.tmp',
      'journal',
      'ids',
      'postgres',
      'redis',
      'redis/redis.sock',
    ])
      expect([...made.keys()]).toContain(name);
    expect(await openIn(folder)).toEqual([]);
    expect(made.get('postgres')).toBe('folder 700');
    expect(first.output()).not.toContain('open to other users');
    await first.kill('SIGTERM');
    expect(await openIn(folder)).toEqual([]);

    const count = await loosen(folder);
    const second = await startService(env);
    await expect.poll(() => openIn(folder)).toEqual([]);
    await expect
      .poll(async () => (await modesIn(folder)).get('postgres/PG_VERSION'))
      .toBe('file 600');
    await expect.poll(() => second.output()).toContain('the data folder was open to other users');
    expect(second.output().split('the data folder was open')).toHaveLength(2);
    expect(count).toBeGreaterThan(100);
    expect(await storedIds(second.port)).toEqual([eventId]);
    await second.kill('SIGTERM');
    expect(await openIn(folder)).toEqual([]);
  }, 60_000);
});
