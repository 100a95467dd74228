import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killAppender } from './journal-kill.ts';

const rounds = 20;

test(`kill -9, ${rounds} times: every acknowledged record is stored once, in order`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-kill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { tornTails, acknowledged, ...damage } = await killAppender(folder, rounds);
  console.log(`${acknowledged} records acknowledged, ${tornTails} torn tails cut`);
  expect(acknowledged).toBeGreaterThan(rounds);
  expect(damage).toEqual({ lost: 0, doubled: 0, disordered: 0, corruptFrames: 0 });
});
