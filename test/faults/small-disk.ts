import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    stdio: 'pipe',
  });
}

/** Returns why no file system can be mounted here; undefined when one can. */
export function mountRefusal(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    mount(folder, 1);
    execFileSync('umount', [folder]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : 'unknown';
  } finally {
    rmdirSync(folder);
  }
}

/** `describe` for tests with small disks: skipped, with the reason, where none can be mounted. */
export function describeSmallDisk(name: string, tests: () => void): void {
  const refusal = mountRefusal();
  const reason =
    refusal === undefined ? '' : ` (skipped: no tmpfs can be mounted here: ${refusal})`;
  describe.skipIf(refusal !== undefined)(name + reason, tests);
}

/**
 * Mounts a file system of this size until the test ends. `fill` leaves `left` bytes free; `clear`
 * frees what `fill` took.
 */
export function smallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  mount(folder, megabytes);
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
    rmdirSync(folder);
  });
  const ballast = join(folder, 'ballast');
  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    free,
    fill(left = 0): void {
      const size = free() - left;
      if (size > 0) appendFileSync(ballast, Buffer.alloc(size));
    },
    clear: (): void => rmSync(ballast, { force: true }),
  };
}
