import { spawn } from 'node:child_process';
import { mkdir, open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { makePrivate } from './private-folder.ts';

export type DataDir = Awaited<ReturnType<typeof openDataDir>>;

const holderSchema = z.object({ pid: z.number().int().positive(), host: z.string() });
type Holder = z.output<typeof holderSchema>;

// Both lock the open file that they inherit as descriptor 3, and exit with 0 when it is locked, or
// 1 when another process holds the lock.
const lockCommands: readonly (readonly [program: string, args: readonly string[]])[] = [
  ['flock', ['-x', '-n', '3']],
  [
    'perl',
    [
      '-MFcntl=:flock',
      '-e',
      'open(F, "+>&=3") or exit 2; exit(flock(F, LOCK_EX|LOCK_NB) ? 0 : $!{EWOULDBLOCK} ? 1 : 2)',
    ],
  ],
];

/**
 * Creates the data folder and locks it for this process until `close` or until the process ends in
 * any way. The folder becomes private to this user (mode 700), even if it existed with an open
 * mode. Rejects with a one-line error when the folder cannot be used or is locked by another
 * process. Why a kernel lock instead of a pid file: docs/decisions/0003-data-dir-lock.md.
 */
export async function openDataDir(path: string) {
  const folder = await makeFolder(path);
  const lock = await lockFile(join(folder, 'process.lock'), folder);
  const closing = new AbortController();
  const { done: privacy } = await makePrivate(folder, closing.signal).catch(
    async (error: unknown) => {
      await lock.close();
      throw error;
    },
  );
  return {
    /** What was accessible to other users. Resolves once the whole folder has been scanned. */
    privacy,
    /** The folder's absolute path without symbolic links. */
    path: folder,
    /**
     * Unlocks the folder. The lock file stays: removing it would allow two processes to hold a
     * lock.
     */
    close: async () => {
      closing.abort();
      await privacy;
      await lock.truncate(0);
      await lock.close();
    },
  };
}

async function makeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await realpath(path);
  } catch (error) {
    throw new Error(`The data folder ${path} cannot be made: ${reason(error)}`, { cause: error });
  }
}

async function lockFile(path: string, folder: string): Promise<FileHandle> {
  const file = await openLockFile(path, folder);
  try {
    if (!(await tryLock(file.fd))) throw new Error(await refusal(file, folder));
    if (!(await isStillAt(file, path)))
      throw new Error(`The data folder ${folder} was removed while it was being opened.`);
    await file.truncate(0);
    await file.write(JSON.stringify({ pid: process.pid, host: hostname() }), 0);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openLockFile(path: string, folder: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+').catch(() => open(path, 'w+', 0o600));
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be written to: ${reason(error)}`, {
      cause: error,
    });
  }
}

async function tryLock(descriptor: number): Promise<boolean> {
  for (const [program, args] of lockCommands) {
    const code = await exitCode(program, args, descriptor);
    if (code === 0 || code === 1) return code === 0;
  }
  throw new Error(
    'The data folder cannot be locked: neither flock (package util-linux) ' +
      'nor perl works on this machine.',
  );
}

function exitCode(
  program: string,
  args: readonly string[],
  descriptor: number,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
}

async function isStillAt(file: FileHandle, path: string): Promise<boolean> {
  const [opened, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return named?.ino === opened.ino && named.dev === opened.dev;
}

async function refusal(file: FileHandle, folder: string): Promise<string> {
  const holder = await readHolder(file);
  const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`;
  const who = holder === undefined ? 'another process' : `process ${holder.pid}${where}`;
  return (
    `The data folder ${folder} is in use by ${who}. ` +
    'Stop it first, or set DATA_DIR to another folder.'
  );
}

// The holder writes its pid just after it gets the lock. Until then the file is empty or names an
// earlier, dead holder.
async function readHolder(file: FileHandle, attempts = 25): Promise<Holder | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const parsed = holderSchema.safeParse(parseJson(buffer.toString('utf8', 0, bytesRead)));
  if (parsed.success && mayBeAlive(parsed.data)) return parsed.data;
  if (attempts === 0) return undefined;
  await delay(20);
  return readHolder(file, attempts - 1);
}

function mayBeAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
