import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { killAppender } from './journal-kill.ts';

const kills = rounds(8, 20);

test(`kill -9, ${kills} times: every acknowledged record is stored once, in order`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-kill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { tornTails, acknowledged, ...damage } = await killAppender(folder, kills);
  console.log(`${acknowledged} records acknowledged, ${tornTails} torn tails cut`);
  expect(acknowledged).toBeGreaterThan(kills);
  expect(damage).toEqual({ lost: 0, doubled: 0, disordered: 0, corruptFrames: 0 });
});
