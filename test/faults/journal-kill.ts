import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { openJournal } from '../../src/platform/journal/journal.ts';
import { createJournalReader } from '../../src/platform/journal/reader.ts';

export interface KillOutcome {
  acknowledged: number;
  lost: number;
  doubled: number;
  disordered: number;
  /** Rounds after which recovery cut off an unfinished write. */
  tornTails: number;
  corruptFrames: number;
}

/**
 * Starts the program and kills it with SIGKILL at the `killAfter`th acknowledgement. Returns all
 * numbers that it acknowledged.
 */
async function appendUntilKilled(
  program: string,
  dir: string,
  first: number,
  killAfter: number,
): Promise<number[]> {
  const child = spawn(process.execPath, [program, dir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === killAfter) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL')
    throw new Error(`the appender ended by itself with code ${String(code)}`);
  return acknowledged;
}

async function numbersIn(
  dir: string,
): Promise<{ numbers: number[]; isTorn: boolean; corruptFrames: number }> {
  const limits = { segmentSize: 1024 ** 2, backlogLimit: 1024 ** 3, pendingLimit: 1024 ** 2 };
  const journal = await openJournal({ dir, ...limits, onError: () => undefined });
  const reader = createJournalReader({ dir });
  const numbers: number[] = [];
  for (const { records } of reader.readAll(journal.start(), journal.position())) {
    for (const record of records) numbers.push(Number.parseInt(record.toString('latin1'), 10));
  }
  reader.close();
  await journal.close();
  const { cutBytes, corruptFrames } = journal.recovery;
  return { numbers, isTorn: cutBytes > 0, corruptFrames };
}

/**
 * Kills an appending process `rounds` times on the same journal. Counts acknowledged records that
 * are lost, doubled or out of order.
 */
export async function killAppender(folder: string, rounds: number): Promise<KillOutcome> {
  const program = join(folder, 'journal-appender.mjs');
  const dir = join(folder, 'journal');
  await build({
    entryPoints: [join(import.meta.dirname, 'journal-appender.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    logLevel: 'error',
  });
  const acknowledged = new Set<number>();
  const outcome = {
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    disordered: 0,
    tornTails: 0,
    corruptFrames: 0,
  };
  for (let round = 0; round < rounds; round += 1) {
    const killAfter = 1 + Math.floor(Math.random() * 1500);
    for (const number of await appendUntilKilled(program, dir, round * 1_000_000, killAfter))
      acknowledged.add(number);
    const { numbers, isTorn, corruptFrames } = await numbersIn(dir);
    const found = new Set(numbers);
    outcome.acknowledged = acknowledged.size;
    outcome.lost += [...acknowledged].filter((number) => !found.has(number)).length;
    outcome.doubled += numbers.length - found.size;
    outcome.disordered += numbers.filter(
      (number, index) => number < (numbers[index - 1] ?? 0),
    ).length;
    outcome.tornTails += isTorn ? 1 : 0;
    outcome.corruptFrames += corruptFrames;
  }
  return outcome;
}
