import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type IdSet, idKeyBytes, writeIdKey } from '../../../../lib/id-set.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { hourMs } from '../../../../lib/durations.ts';

const fileName = /^(\d+)(?:-start)?\.ids$/;
/** Maximum number of ids read per step. */
const idsPerStep = 3000;

/** Returns the id files of the folder, oldest hour first. */
function listFiles(dir: string): { name: string; hour: number }[] {
  return readdirSync(dir)
    .flatMap((name) => {
      const hour = fileName.exec(name)?.[1];
      return hour === undefined ? [] : [{ name, hour: Number(hour) }];
    })
    .sort((a, b) => a.hour - b.hour);
}

/** Opens a file for reading; returns undefined if it has expired and been deleted. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes new directory entries durable. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

export interface IdLogOptions {
  dir: string;
  windowMs: number;
  clock: Clock;
  /** Each writer has its own files, since opening a file truncates a partial last entry. */
  writer?: 'store' | 'start';
}

/** Deletes files whose ids are all older than the window. */
function deleteExpired({ dir, clock, windowMs }: IdLogOptions): void {
  for (const { name, hour } of listFiles(dir))
    if ((hour + 1) * hourMs < clock.now() - windowMs) rmSync(join(dir, name), { force: true });
}

function openForAppend({ dir, writer }: IdLogOptions, hour: number): number {
  const name = `${hour}${writer === 'start' ? '-start' : ''}.ids`;
  const fd = openSync(join(dir, name), 'a', 0o600);
  const { size } = fstatSync(fd);
  // A partial entry left by a crash would misalign all later ones.
  if (size % idKeyBytes !== 0) ftruncateSync(fd, size - (size % idKeyBytes));
  syncFolder(dir);
  return fd;
}

/**
 * Writes client-chosen ids to one file per hour, so that a retry is recognised even after the
 * journal segment of the event is deleted. Files older than the window are deleted.
 */
export function createIdLog(options: IdLogOptions) {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const key = new Uint32Array(idKeyBytes / 4);
  let buffer = Buffer.allocUnsafe(5000 * idKeyBytes);
  let used = 0;
  let open: { hour: number; fd: number } | undefined;

  function close(): void {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  }

  function currentFile(): number {
    const hour = Math.floor(options.clock.now() / hourMs);
    if (open?.hour === hour) return open.fd;
    close();
    deleteExpired(options);
    open = { hour, fd: openForAppend(options, hour) };
    return open.fd;
  }

  function write(fd: number): void {
    try {
      for (let done = 0; done < used;) done += writeSync(fd, buffer, done, used - done);
      fsyncSync(fd);
    } catch (error) {
      close();
      throw error;
    }
  }

  return {
    add(siteId: number, id: string): void {
      writeIdKey(key, siteId, id);
      if (used + idKeyBytes > buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      for (const [word, value] of key.entries()) buffer.writeUInt32LE(value, used + word * 4);
      used += idKeyBytes;
    },

    /** Makes the added ids durable. */
    sync(): void {
      if (used === 0) return;
      write(currentFile());
      used = 0;
    },

    close,
  };
}

export type IdLog = ReturnType<typeof createIdLog>;

/** Loads the ids of an open file into `ids`, in steps. Skips a partial last entry. */
function* loadFile(fd: number, seenAt: number, ids: IdSet): Generator<void> {
  const key = new Uint32Array(idKeyBytes / 4);
  const bytes = Buffer.allocUnsafe(idsPerStep * idKeyBytes);
  for (let position = 0; ;) {
    const whole = readSync(fd, bytes, 0, bytes.length, position);
    const read = whole - (whole % idKeyBytes);
    if (read === 0) return;
    for (let at = 0; at < read; at += idKeyBytes) {
      for (let word = 0; word < key.length; word++) key[word] = bytes.readUInt32LE(at + word * 4);
      ids.restore(key, seenAt);
    }
    position += read;
    yield;
  }
}

/** Loads the ids of the window into `ids`, oldest first, in steps of about a millisecond. */
export function* loadIds({
  dir,
  windowMs,
  clock,
  ids,
}: {
  dir: string;
  windowMs: number;
  clock: Clock;
  ids: IdSet;
}): Generator<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const { name, hour } of listFiles(dir)) {
    if ((hour + 1) * hourMs < clock.now() - windowMs) continue;
    const fd = openFile(join(dir, name));
    if (fd === undefined) continue;
    try {
      yield* loadFile(fd, (hour + 1) * hourMs, ids);
    } finally {
      closeSync(fd);
    }
  }
}
