import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the benchmarks keep their folders: on the project's disk, because /tmp is often in memory,
 * where a sync costs nothing.
 */
export const workFolder = join(process.cwd(), '.tmp');

export interface Lifetime {
  /**
   * Registers work for the end of the benchmark, even if it fails or is interrupted. The last added
   * runs first.
   */
  atEnd: (work: () => unknown) => void;
  /** Creates a folder that is removed at the end. */
  folder: () => string;
}

/**
 * Runs a benchmark, then stops what it started and removes its folders, also on Ctrl-C. The exit
 * code is 1 if it failed or if `work` returns a number of failures above 0.
 */
export async function runBenchmark(work: (lifetime: Lifetime) => Promise<number>): Promise<void> {
  const endings: (() => unknown)[] = [];
  let ended: Promise<void> | undefined;
  async function unwind(): Promise<void> {
    for (let ending = endings.pop(); ending !== undefined; ending = endings.pop()) {
      try {
        await ending();
      } catch (error) {
        console.error(error);
      }
    }
  }
  const end = (code: number) => (ended ??= unwind().finally(() => process.exit(code)));
  const lifetime: Lifetime = {
    atEnd: (ending) => void endings.push(ending),
    folder() {
      mkdirSync(workFolder, { recursive: true });
      const path = mkdtempSync(join(workFolder, 'bench-data-'));
      endings.push(() => rmSync(path, { recursive: true, force: true }));
      return path;
    },
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(1));
  // An error in a callback that nothing awaits.
  process.on('uncaughtException', (error) => {
    console.error(error);
    void end(1);
  });
  try {
    const failures = await work(lifetime);
    await end(failures > 0 ? 1 : 0);
  } catch (error) {
    // An interrupted benchmark fails, too; its error is of no interest.
    if (ended === undefined) console.error(error);
    await end(1);
  }
}
