import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { rounds } from '../support/rounds.ts';
import {
  eventOf,
  type KillFigures,
  killRounds,
  killSettings,
  sendEvents,
  waitForCount,
} from './ingest-kill.ts';
import { asAdmin, post, startService as start } from './ingest-service.ts';

const kills = rounds(12, 100);
// A service that starts or waits for a checkpoint leaves the machine to the other one.
const services = 2;

/** Kills one of the services this many times. Returns its figures. */
async function killOne(roundsOfOne: number): Promise<KillFigures> {
  return killRounds({
    rounds: roundsOfOne,
    env: await killSettings(),
    checkpointEvery: 5,
    onRound: ({ rounds: done, answered, broken }) => {
      if (done % 10 === 0)
        console.log(`${done} rounds: ${answered} events answered, ${broken} requests broken off`);
    },
  });
}

test(
  `kill -9, ${kills} times, with retries: no answered event is lost, none is stored twice`,
  async () => {
    const all = await Promise.all(
      Array.from({ length: services }, (_, at) => killOne(Math.floor((kills + at) / services))),
    );
    console.log(JSON.stringify(all));
    const sum = (name: keyof KillFigures) => all.reduce((total, each) => total + each[name], 0);
    expect(sum('rounds')).toBe(kills);
    expect(sum('answered')).toBeGreaterThan(kills * 20);
    expect(sum('broken')).toBeGreaterThan(0);
    for (const each of all) expect(each).toMatchObject({ lost: 0, doubled: 0, foreign: 0 });
  },
  60_000 + kills * 15_000,
);

test('ids are remembered after a kill between commit and checkpoint, and two starts', async () => {
  const env = await killSettings({ JOURNAL_SEGMENT_SIZE: '16KiB' });
  const journal = join(env.DATA_DIR ?? '', 'journal');
  let service = await start(env);
  const ids = await sendEvents(service.port, 1000);
  await waitForCount(service.port, 1000);
  await service.kill('SIGKILL');

  // The second run checkpoints what the first has committed, and releases its journal segments.
  const before = await readdir(journal);
  service = await start(env);
  await sendEvents(service.port, 1);
  await vi.waitFor(
    async () =>
      expect((await readdir(journal)).filter((name) => before.slice(0, -1).includes(name))).toEqual(
        [],
      ),
    { timeout: 60_000, interval: 100 },
  );
  await service.kill('SIGKILL');

  service = await start(env);
  const events = ids.map((id) => eventOf(id));
  const repeated = await post(service.port, '/analytics/batch/', { events }, { headers: asAdmin });
  expect(JSON.parse(repeated.text)).toMatchObject({ accepted: 0, duplicates: 1000 });
  await service.kill('SIGTERM');
});
