import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataDir } from '../../../src/platform/files/data-dir.ts';
import { loosen, modeOf, modesIn, openIn } from './modes.ts';

let parent = '';
let folder = '';
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'private-')));
  folder = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

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
    expect(await modeOf(elsewhere)).toBe('777');
    expect(await modeOf(join(elsewhere, 'file'))).toBe('666');
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
