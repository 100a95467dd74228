import { writeSync } from 'node:fs';
import { openJournal } from '../../src/platform/journal/journal.ts';

/**
 * Appends numbered records until it is killed: `node journal-appender.mjs FOLDER FIRST-NUMBER`.
 * Writes each number to standard output once its append has resolved, so that the test knows which
 * records were acknowledged.
 */
const [dir = '', first = '0'] = process.argv.slice(2);
const appenders = 24;
const journal = await openJournal({
  dir,
  segmentSize: 512 * 1024,
  backlogLimit: 1024 ** 3,
  pendingLimit: 64 * 1024 ** 2,
  onError: (error) => {
    throw error instanceof Error ? error : new Error(String(error));
  },
});
let number = Number(first);

async function appendForever(): Promise<never> {
  for (;;) {
    const current = number++;
    const size = current % 50 === 0 ? 100_000 : 20 + ((current * 37) % 600);
    await journal.append(`${current} `.padEnd(size, 'x'));
    writeSync(1, `${current}\n`);
  }
}

await Promise.all(Array.from({ length: appenders }, appendForever));
