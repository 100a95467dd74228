import { randomUUID } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataDir } from '../../../src/platform/files/data-dir.ts';
import { asAdmin, post, startService, storedIds } from '../../faults/ingest-service.ts';

let parent = '';
let folder = '';
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'private-')));
  folder = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (path: string): Promise<string> =>
  ((await lstat(path)).mode & 0o7777).toString(8);

/** The entries of a folder by relative path, with kind and mode. The folder itself is `.`. */
async function modesIn(path: string, name = '.'): Promise<Map<string, string>> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return new Map();
  const kind = stats.isDirectory()
    ? 'folder'
    : stats.isFile()
      ? 'file'
      : stats.isSocket()
        ? 'socket'
        : 'other';
  const found = new Map([[name, `${kind} ${(stats.mode & 0o7777).toString(8)}`]]);
  if (!stats.isDirectory()) return found;
  for (const each of await readdir(path))
    for (const [key, mode] of await modesIn(join(path, each), join(name, each)))
      found.set(key, mode);
  return found;
}

const expected = new Set(['folder 700', 'file 600', 'socket 700']);
/**
 * PGlite creates files with mode 666 or 644 regardless of the umask. The parent folder denies
 * access to other users.
 */
const isPglites = ([name, mode]: [string, string]) =>
  name.startsWith('postgres/') && ['file 666', 'file 644'].includes(mode);
const openIn = async (path: string) =>
  [...(await modesIn(path))].filter((entry) => !expected.has(entry[1]) && !isPglites(entry));

/** Gives all users access to every entry. */
async function loosen(path: string): Promise<number> {
  const entries = [...(await modesIn(path))];
  for (const [name, mode] of entries)
    await chmod(join(path, name), mode.startsWith('folder') ? 0o777 : 0o666);
  return entries.length;
}

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
    const parquet = await post(
      first.port,
      '/analytics/export/events/',
      { format: 'parquet' },
      { headers: asAdmin },
    );
    expect([parquet.status, parquet.text.slice(0, 4)]).toEqual([200, 'PAR1']);
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
    ]) {
      expect([name, made.has(name)]).toEqual([name, true]);
    }
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

describe('opening a data folder that other users can access', () => {
  const openIt = async () => {
    const data = await openDataDir(folder);
    const atOnce = await modeOf(folder);
    const privacy = await data.privacy;
    await data.close();
    return { atOnce, privacy };
  };

  it('makes the folder private at once, then its content, and reports the count', async () => {
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await writeFile(join(folder, 'a', 'b', 'open'), '');
    await writeFile(join(folder, 'a', 'read-only'), '');
    await writeFile(join(folder, 'program'), '');
    await loosen(folder);
    await chmod(join(folder, 'a', 'read-only'), 0o444);
    await chmod(join(folder, 'program'), 0o755);
    await chmod(join(folder, 'a'), 0o2775);
    expect(await openIt()).toEqual({
      atOnce: '700',
      privacy: { wasOpen: true, tightened: 6, foreign: 0 },
    });
    const modes = await modesIn(folder);
    expect(Object.fromEntries(modes)).toEqual({
      '.': 'folder 700',
      a: 'folder 700',
      'a/b': 'folder 700',
      'a/b/open': 'file 600',
      'a/read-only': 'file 400',
      program: 'file 700',
      'process.lock': 'file 600',
    });
    expect((await openIt()).privacy).toEqual({ wasOpen: false, tightened: 0, foreign: 0 });
  });

  it('does not change the targets of symbolic links', async () => {
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'file'), '');
    await loosen(elsewhere);
    await mkdir(folder);
    await symlink(elsewhere, join(folder, 'to-folder'));
    await symlink(join(elsewhere, 'file'), join(folder, 'to-file'));
    await symlink('missing', join(folder, 'to-nothing'));
    expect((await openIt()).privacy.foreign).toBe(0);
    expect([await modeOf(elsewhere), await modeOf(join(elsewhere, 'file'))]).toEqual([
      '777',
      '666',
    ]);
  });

  it('refuses a folder that all users share, without changes', async () => {
    await mkdir(folder);
    await chmod(folder, 0o1777);
    await expect(openDataDir(folder)).rejects.toThrow(
      `The data folder ${folder} is shared by all users of this machine.`,
    );
    expect(await modeOf(folder)).toBe('1777');
    await chmod(folder, 0o755);
    await (await openDataDir(folder)).close();
  });

  it('does not wait for thousands of files, but processes all of them', async () => {
    await mkdir(join(folder, 'many'), { recursive: true });
    await Promise.all(
      Array.from({ length: 3000 }, (_, at) =>
        writeFile(join(folder, 'many', String(at)), '', { mode: 0o666 }),
      ),
    );
    await chmod(join(folder, 'many', '0'), 0o666);
    await chmod(folder, 0o755);
    const data = await openDataDir(folder);
    let isDone = false;
    const looked = data.privacy.then((privacy) => {
      isDone = true;
      return privacy;
    });
    expect(isDone).toBe(false);
    expect(await modeOf(folder)).toBe('700');
    expect((await looked).foreign).toBe(0);
    expect(await openIn(folder)).toEqual([]);
    await data.close();
  });
});
