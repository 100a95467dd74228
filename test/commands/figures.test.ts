import { expect, test } from 'vitest';
import { awaitFigures } from '../../src/commands/import/figures.ts';

const never = new AbortController().signal;

async function linesFor(answers: unknown[], limitMs?: number): Promise<string[]> {
  const lines: string[] = [];
  const get = () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  await awaitFigures({
    client: { get },
    stop: never,
    say: (line) => lines.push(line),
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  return lines;
}

const state = (accepted: number, pending: number | null) => ({
  accepted_events: accepted,
  pending_events: pending,
});

test('an import ends once the figures include its events, whatever others send', async () => {
  expect(await linesFor([state(10, 8), state(10, 8), state(30, 20)])).toEqual([
    'The figures include all events.',
  ]);
});

test('an import that times out reports how many events are still pending', async () => {
  expect(await linesFor([state(1500, 1200)], -1)).toEqual([
    '1,200 events are stored, but not yet included in the figures.',
  ]);
});

test('an import reports when the service cannot tell', async () => {
  expect(await linesFor([new Error('404')])).toEqual([
    'The events are stored. Could not check whether the figures include them yet.',
  ]);
});
