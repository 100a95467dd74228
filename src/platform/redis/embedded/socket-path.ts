import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// 104 bytes with the closing zero on macOS, 108 on Linux.
const maxPathLength = 103;

export interface SocketPath {
  path: string;
  /** Removes a link that was created to shorten the path. */
  remove: () => Promise<void>;
}

/** Returns a path of at most 103 bytes to `redis.sock`, through a symbolic link if necessary. */
export async function openSocketPath(folder: string): Promise<SocketPath> {
  const direct = join(folder, 'redis.sock');
  if (Buffer.byteLength(direct) <= maxPathLength)
    return { path: direct, remove: async () => undefined };
  const name = `redis-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const link = join(tmpdir(), name);
  await symlink(folder, link).catch(() => undefined);
  if (await isOurLink(link, folder))
    return { path: join(link, 'redis.sock'), remove: () => rm(link, { force: true }) };
  return privateLink(folder);
}

// Any user can write to the temp folder: a link created by another user could point to another
// Redis.
async function isOurLink(link: string, folder: string): Promise<boolean> {
  try {
    const [info, target] = await Promise.all([lstat(link), readlink(link)]);
    return target === folder && info.uid === process.getuid?.();
  } catch {
    return false;
  }
}

async function privateLink(folder: string): Promise<SocketPath> {
  const parent = await mkdtemp(join(tmpdir(), 'redis-'));
  await symlink(folder, join(parent, 'd'));
  return {
    path: join(parent, 'd', 'redis.sock'),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
