import { close, constants, fdatasync, fsync, ftruncate, open, write } from 'node:fs';
import { open as openHandle, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const openFd = promisify(open);
const closeFd = promisify(close);
const truncateFd = promisify(ftruncate);
const syncFd = promisify(fsync);
const syncData = promisify(fdatasync);

// An O_DSYNC write saves a second trip through the thread pool. Only Linux guarantees that it
// reaches the medium.
const hasSyncedWrite = process.platform === 'linux';
const flags = constants.O_RDWR | (hasSyncedWrite ? constants.O_DSYNC : 0);

/** An open segment. Its calls resolve when the change is durable. */
export interface SegmentFile {
  write: (bytes: Buffer, position: number) => Promise<void>;
  truncate: (size: number) => Promise<void>;
  close: () => Promise<void>;
}

/** The file operations of the journal's writer. */
export interface JournalDisk {
  open: (path: string) => Promise<SegmentFile>;
  /** Creates a file that begins with `header`. Leaves no file when that fails. */
  create: (path: string, header: Buffer) => Promise<SegmentFile>;
}

function writeSome(fd: number, bytes: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, position, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });
}

async function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await writeSome(fd, done === 0 ? bytes : bytes.subarray(done), position + done);
  }
  if (!hasSyncedWrite) await syncData(fd);
}

function segmentFile(fd: number): SegmentFile {
  return {
    write: (bytes, position) => writeAll(fd, bytes, position),
    async truncate(size) {
      await truncateFd(fd, size);
      await syncFd(fd);
    },
    close: () => closeFd(fd),
  };
}

/** Makes file creations and removals in a folder durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await openHandle(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The file system. */
export const fileDisk: JournalDisk = {
  open: async (path) => segmentFile(await openFd(path, flags)),
  async create(path, header) {
    const file = segmentFile(
      await openFd(path, flags | constants.O_CREAT | constants.O_TRUNC, 0o600),
    );
    try {
      await file.write(header, 0);
      await syncDirectory(dirname(path));
      return file;
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  },
};
