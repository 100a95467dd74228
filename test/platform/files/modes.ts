import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the permission bits of an entry, in octal. */
export const modeOf = async (path: string): Promise<string> =>
  ((await lstat(path)).mode & 0o7777).toString(8);

/** The entries of a folder by relative path, with kind and mode. The folder itself is `.`. */
export async function modesIn(path: string, name = '.'): Promise<Map<string, string>> {
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
/** Returns the entries that other users can access. */
export const openIn = async (path: string) =>
  [...(await modesIn(path))].filter((entry) => !expected.has(entry[1]) && !isPglites(entry));

/** Gives all users access to every entry. */
export async function loosen(path: string): Promise<number> {
  const entries = [...(await modesIn(path))];
  for (const [name, mode] of entries)
    await chmod(join(path, name), mode.startsWith('folder') ? 0o777 : 0o666);
  return entries.length;
}
