import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../../../support/rounds.ts';
import { ways } from './model.ts';
import { compare, type Lab, openLab, sequences } from './sequences.ts';

describe('devices', () => {
  const runs = rounds(60, 500);
  let lab: Lab;
  beforeAll(async () => {
    lab = await openLab();
  });
  afterAll(() => lab.app.close());

  it('change their states like the model, for random sequences of steps', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) => compare(lab, sequence)),
      { numRuns: runs },
    );
    expect(lab.steps).toBeGreaterThan(runs * 5);
    if (runs < 180) return;
    // So many sequences must cover every transition.
    expect([...lab.made.keys()].sort()).toEqual(
      Object.keys(ways)
        .filter((name) => name !== 'bootstrap')
        .sort(),
    );
  }, 900_000);

  it('are not compared with the browser from before the approval', () =>
    compare(lab, {
      begin: 'nothing',
      steps: [
        { do: 'new_browser', by: 0, as: 'aal2' },
        { do: 'other_system', by: 0, as: 'as_is' },
        { do: 'pass', ms: 60_000, sweep: false },
        { do: 'other_system', by: 0, as: 'as_is' },
        { do: 'cleared', by: 0, as: 'as_is' },
        { do: 'status', by: 0, as: 'as_is' },
      ],
    }));
});
