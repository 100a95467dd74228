import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDataDir } from '../../../src/platform/files/data-dir.ts';
import { rounds } from '../../support/rounds.ts';
import { bundleProgram } from '../../support/typescript-process.ts';

describe('openDataDir', () => {
  let folder = '';
  let holder: Awaited<ReturnType<typeof bundleProgram>>;

  beforeAll(async () => {
    holder = await bundleProgram('hold-data-dir.ts');
  });
  afterAll(() => holder.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-dir-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('creates a missing folder that only its owner may read', async () => {
    const data = await openDataDir(join(folder, 'a', 'b'));
    expect((await stat(data.path)).mode & 0o777).toBe(0o700);
    expect(data.path).toBe(join(folder, 'a', 'b'));
    await data.close();
  });

  it('refuses a second holder in the same process, until the first closes', async () => {
    const first = await openDataDir(folder);
    await expect(openDataDir(folder)).rejects.toThrow(`in use by process ${process.pid}.`);
    await first.close();
    const second = await openDataDir(folder);
    await second.close();
  });

  it('refuses a second process with one line that names the holder', async () => {
    const other = await holder.start(folder);
    expect(other.firstLine).toBe('held');
    const line =
      `The data folder ${folder} is in use by process ${other.pid}. ` +
      'Stop it first, or set DATA_DIR to another folder.';
    await expect(openDataDir(folder)).rejects.toThrow(new Error(line));
    await expect(openDataDir(folder)).rejects.toThrow(new Error(line));
    await other.kill('SIGKILL');
  });

  it('takes over the folder of a killed process', async () => {
    const other = await holder.start(folder);
    await other.kill('SIGKILL');
    expect(await readFile(join(folder, 'process.lock'), 'utf8')).toContain(`${other.pid}`);
    const data = await openDataDir(folder);
    expect(await readFile(join(folder, 'process.lock'), 'utf8')).toContain(`"pid":${process.pid}`);
    await data.close();
  });

  const races = rounds(5, 20);
  it(`admits exactly one of two processes that start together, ${races} times`, async () => {
    for (let race = 0; race < races; race += 1) {
      const racers = await Promise.all([holder.start(folder), holder.start(folder)]);
      const [winner, loser] = racers.toSorted((a) => (a.firstLine === 'held' ? -1 : 1));
      expect(winner?.firstLine).toBe('held');
      expect(loser?.firstLine).toContain(`in use by process ${winner?.pid ?? 0}.`);
      await winner?.kill('SIGKILL');
    }
  }, 60_000);

  it('admits exactly one of ten callers that race for a missing folder', async () => {
    const path = join(folder, 'new');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => openDataDir(path)));
    const winners = results.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map(({ value }) => value.close()));
  });

  it('reports in one line why a folder cannot be created', async () => {
    await mkdir(folder, { recursive: true });
    const data = await openDataDir(folder);
    await expect(openDataDir(join(folder, 'process.lock', 'data'))).rejects.toThrow(
      /^The data folder .* cannot be made: ENOTDIR.*$/,
    );
    await data.close();
  });
});
