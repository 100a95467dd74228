import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, type Lab, openLab, sequences } from './sequences.ts';
import { ways } from './model.ts';

// Like states.slow.test.ts, with more runs.
describe.each([
  { first: 'nobody', clearance: 'four_eyes', runs: 180 },
  { first: 'nobody', clearance: 'self_step_up', runs: 45 },
  { first: 'tofu', clearance: 'four_eyes', runs: 45 },
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
