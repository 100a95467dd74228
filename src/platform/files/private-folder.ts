import { constants, type Stats } from 'node:fs';
import { chmod, lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Privacy {
  /** Whether other users could get into the folder until now. */
  wasOpen: boolean;
  /** How many folders and files had a mode that lets others in. */
  tightened: number;
  /** How many belong to another user, or could not be changed: they are as they were. */
  foreign: number;
}

/** The bits of a mode that let the group and everybody else in. */
const forOthers = 0o077;
/** The owner's own bits stay as they are: what worked for this user goes on working. */
const forOwner = 0o700;
/** The bit of folders in which everybody keeps files, such as /tmp. */
const sharedByAll = 0o1000;

const isForeign = ({ uid }: Stats): boolean =>
  process.getuid !== undefined && uid !== process.getuid();

/** Whether the folder is now this user's alone, so that nobody else can replace its content. */
async function takeFolder(path: string, found: Privacy): Promise<boolean> {
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    const stats = await handle.stat();
    if (isForeign(stats)) throw new Error("another user's");
    if ((stats.mode & forOthers) === 0) return true;
    await handle.chmod(stats.mode & forOwner);
    found.tightened += 1;
    return true;
  } finally {
    await handle.close();
  }
}

const isOurs = (path: string, found: Privacy): Promise<boolean> =>
  takeFolder(path, found).catch(() => {
    found.foreign += 1;
    return false;
  });

/**
 * By its path, which nobody else can make another file's: the folder is ours. To open and close a
 * file would free the lock that DuckDB has on it in this process (fcntl(2)).
 */
async function takeFile(path: string, stats: Stats, found: Privacy): Promise<void> {
  if (!isForeign(stats) && (stats.mode & forOthers) === 0) return;
  const isDone =
    !isForeign(stats) &&
    (await chmod(path, stats.mode & forOwner).then(
      () => true,
      () => false,
    ));
  found[isDone ? 'tightened' : 'foreign'] += 1;
}

/** Files come and go while the folder is looked through: what is gone needs nothing. */
async function* entriesOf(folder: string): AsyncGenerator<{ path: string; stats: Stats }> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined) yield { path, stats };
  }
}

async function takeContent(folder: string, found: Privacy, stop: AbortSignal): Promise<void> {
  for await (const { path, stats } of entriesOf(folder)) {
    if (stop.aborted) return;
    if (stats.isFile()) await takeFile(path, stats, found);
    else if (stats.isDirectory() && (await isOurs(path, found)))
      await takeContent(path, found, stop).catch(() => undefined);
  }
}

/**
 * Takes a folder and all that is in it away from other users. Symbolic links are not followed, and
 * other users' folders not entered. When this resolves nobody else gets into the folder any more;
 * `done` resolves when all that is in it was looked at, one entry after the other, or when `stop`
 * is aborted. Rejects for a folder that all users share, such as /tmp.
 */
export async function makePrivate(
  folder: string,
  stop: AbortSignal,
): Promise<{ done: Promise<Privacy> }> {
  if (((await lstat(folder)).mode & sharedByAll) !== 0) {
    throw new Error(
      `The data folder ${folder} is shared by all users of this machine. ` +
        "Set DATA_DIR to a folder of the service's own.",
    );
  }
  const found: Privacy = { wasOpen: false, tightened: 0, foreign: 0 };
  const isTaken = await isOurs(folder, found);
  found.wasOpen = found.tightened > 0;
  const content = isTaken
    ? takeContent(folder, found, stop).catch(() => undefined)
    : Promise.resolve();
  return { done: content.then(() => found) };
}
