import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Each file becomes a route: a folder mounted by mistake must not add a hundred thousand. */
const maxFiles = 1000;

/**
 * Only characters that need no escaping, so that each file has one URL. No dot files except RFC
 * 8615's.
 */
const publicPath = /^(?:\.well-known\/)?\w[\w.~-]*(?:\/\w[\w.~-]*)*$/;

export interface PublicFiles {
  /** Paths relative to the folder, with forward slashes. */
  files: readonly string[];
  /** Files that cannot be served, with the reason. Hidden files are not listed. */
  leftOut: readonly { file: string; reason: string }[];
}

/** True for `.env`, `.git/config`, or the folders that Kubernetes' volume links point to. */
const isHidden = (file: string): boolean => /(?:^|\/)\./.test(file.replace(/^\.well-known\//, ''));

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Returns why the file cannot be served; undefined when it can. */
async function findFault(path: string, realFolder: string): Promise<string | undefined> {
  try {
    const target = await realpath(path);
    if (!target.startsWith(`${realFolder}${sep}`))
      return 'it is a link that leads out of the folder';
    if (!(await stat(target)).isFile()) return 'it is no file';
    await access(target, constants.R_OK);
    return undefined;
  } catch (error) {
    return isMissing(error) ? 'it is a link that leads nowhere' : 'it cannot be read';
  }
}

/**
 * Lists the files of a folder that may be served publicly. Only these get a route. A missing folder
 * has none. Rejects when the folder cannot be read or holds more than 1,000 files.
 */
export async function findPublicFiles(folder: string): Promise<PublicFiles> {
  const realFolder = await realpath(folder).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (realFolder === undefined) return { files: [], leftOut: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }: (typeof entries)[number]) =>
    relative(folder, join(parentPath, name)).split(sep).join('/');
  const found = entries
    .filter((entry) => !entry.isDirectory())
    .map(pathOf)
    .sort();
  if (found.length > maxFiles)
    throw new Error(
      `The folder ${folder} has more than ${maxFiles} files. ` +
        'Serve that many from a web server, and keep in it what belongs to the service.',
    );
  const files: string[] = [];
  const leftOut: { file: string; reason: string }[] = [];
  for (const file of found.filter((each) => !isHidden(each))) {
    const reason = publicPath.test(file)
      ? await findFault(join(folder, file), realFolder)
      : 'its name has other characters than letters, digits and . _ ~ -';
    if (reason === undefined) files.push(file);
    else leftOut.push({ file, reason });
  }
  return { files, leftOut };
}
