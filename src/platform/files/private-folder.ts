import { constants, type Stats } from 'node:fs';
import { chmod, lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Privacy {
  /** True when other users could access the folder before. */
  wasOpen: boolean;
  /** Number of folders and files whose mode allowed other users access. */
  tightened: number;
  /** Number of entries that belong to another user or could not be changed. They stay unchanged. */
  foreign: number;
}

/** The mode bits of the group and of all other users. */
const othersMask = 0o077;
/** The mode bits of the owner, which stay unchanged. */
const ownerMask = 0o700;
/** The sticky bit of folders that all users share, such as /tmp. */
const stickyBit = 0o1000;

const isForeign = ({ uid }: Stats): boolean =>
  process.getuid !== undefined && uid !== process.getuid();

/**
 * Makes a folder private. Returns true when no other user can replace its content anymore. Rejects
 * for a folder of another user.
 */
async function makeFolderPrivate(path: string, found: Privacy): Promise<boolean> {
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    const stats = await handle.stat();
    if (isForeign(stats)) throw new Error("another user's");
    if ((stats.mode & othersMask) === 0) return true;
    await handle.chmod(stats.mode & ownerMask);
    found.tightened += 1;
    return true;
  } finally {
    await handle.close();
  }
}

const isOurs = (path: string, found: Privacy): Promise<boolean> =>
  makeFolderPrivate(path, found).catch(() => {
    found.foreign += 1;
    return false;
  });

/**
 * Changes the mode by path, which is safe: only this user can change the folder. Opening and
 * closing a file would release the lock that DuckDB has on it in this process (fcntl(2)).
 */
async function makeFilePrivate(path: string, stats: Stats, found: Privacy): Promise<void> {
  if (!isForeign(stats) && (stats.mode & othersMask) === 0) return;
  const isChanged =
    !isForeign(stats) &&
    (await chmod(path, stats.mode & ownerMask).then(
      () => true,
      () => false,
    ));
  found[isChanged ? 'tightened' : 'foreign'] += 1;
}

/** Yields the entries of a folder. Entries removed during the scan are skipped. */
async function* entriesOf(folder: string): AsyncGenerator<{ path: string; stats: Stats }> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined) yield { path, stats };
  }
}

async function makeContentPrivate(
  folder: string,
  found: Privacy,
  stop: AbortSignal,
): Promise<void> {
  for await (const { path, stats } of entriesOf(folder)) {
    if (stop.aborted) return;
    if (stats.isFile()) await makeFilePrivate(path, stats, found);
    else if (stats.isDirectory() && (await isOurs(path, found)))
      await makeContentPrivate(path, found, stop).catch(() => undefined);
  }
}

/**
 * Makes a folder and its content private to this user. Does not follow symbolic links or enter
 * other users' folders. When this resolves, no other user can enter the folder; `done` resolves
 * when the whole content has been processed, or when `stop` is aborted. Rejects for a folder that
 * all users share, such as /tmp.
 */
export async function makePrivate(
  folder: string,
  stop: AbortSignal,
): Promise<{ done: Promise<Privacy> }> {
  if (((await lstat(folder)).mode & stickyBit) !== 0) {
    throw new Error(
      `The data folder ${folder} is shared by all users of this machine. ` +
        "Set DATA_DIR to a folder of the service's own.",
    );
  }
  const found: Privacy = { wasOpen: false, tightened: 0, foreign: 0 };
  const isPrivate = await isOurs(folder, found);
  found.wasOpen = found.tightened > 0;
  const content = isPrivate
    ? makeContentPrivate(folder, found, stop).catch(() => undefined)
    : Promise.resolve();
  return { done: content.then(() => found) };
}
