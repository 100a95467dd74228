import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../../support/rounds.ts';
import { compare, type Lab, openLab, sequences } from './sequences.ts';
import { ways } from './model.ts';

// Like states.slow.test.ts, with more runs.
describe.each([
  { first: 'nobody', clearance: 'four_eyes', runs: rounds(180, 240) },
  { first: 'nobody', clearance: 'self_step_up', runs: rounds(45, 60) },
  { first: 'tofu', clearance: 'four_eyes', runs: rounds(45, 60) },
] as const)('devices with the policies $first and $clearance', ({ runs, ...policy }) => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await openLab(policy);
  });
  afterAll(() => lab.app.close());

  it('change their states like the model, for random sequences of steps', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) => compare(lab, sequence)),
      { numRuns: runs },
    );
    if (runs < 180) return;
    // The sequences must cover every transition.
    expect([...lab.made.keys()].sort()).toEqual(
      Object.keys(ways)
        .filter((name) => name !== 'bootstrap' && name !== 'self_clear')
        .sort(),
    );
  }, 900_000);
});
