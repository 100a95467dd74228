import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the benchmarks keep their folders: on the disk of the project, since many a /tmp is memory
 * and syncs for nothing.
 */
export const workFolder = join(process.cwd(), '.tmp');

export interface Lifetime {
  /**
   * Is done at the end of the benchmark, also when it fails or is interrupted; the last added
   * first.
   */
  atEnd: (work: () => unknown) => void;
  /** A new folder, removed at the end. */
  folder: () => string;
}

/**
 * Runs a benchmark and stops and removes what it started and made, also on Ctrl-C.
 * Exit code 0, or 1 when it failed or `work` gives a number of failures above 0.
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
  // What fails in a callback that nobody waits for.
  process.on('uncaughtException', (error) => {
    console.error(error);
    void end(1);
  });
  try {
    const failures = await work(lifetime);
    await end(failures > 0 ? 1 : 0);
  } catch (error) {
    // What was interrupted fails, and needs no explanation.
    if (ended === undefined) console.error(error);
    await end(1);
  }
}
