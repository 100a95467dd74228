import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Areas, intervalsOf } from '../../../src/areas/deliverability/zones/intervals.ts';
import { keyOf } from '../../../src/areas/deliverability/postal-codes.ts';
import type { CheckView } from '../../../src/areas/deliverability/schemas.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';

const app = await sharedApp('plain', { clock: { now: () => Date.UTC(2030, 0, 1) } });

interface Kind {
  codes: readonly string[];
  prefixes: readonly string[];
  ranges: Areas['ranges'];
}

const kinds: Record<string, Kind> = {
  DE: {
    codes: ['10000', '10001', '10100', '11000', '12345', '20000', '20001', '99999'],
    prefixes: ['1', '10', '100', '1000', '10000', '2', '9'],
    ranges: [
      { from: '1', to: '2' },
      { from: '10', to: '11' },
      { from: '10000', to: '10100' },
      { from: '20001', to: '99999' },
    ],
  },
  GB: {
    codes: ['S1 2HE', 'SW1A 1AA', 'SW1A1AB', 'SW1 1AA', 'SW11 1AA', 'E1 5AA', 'E10 5AA', 'E1W 1AA'],
    prefixes: ['S', 'SW', 'SW1', 'SW1A', 'SW1A 1', 'SW11', 'E1', 'E'],
    ranges: [
      { from: 'E1', to: 'E9' },
      { from: 'E2', to: 'E12' },
      { from: 'SW1A 1AA', to: 'SW1A 1AA' },
      { from: 'S', to: 'SW' },
    ],
  },
  NL: {
    codes: ['1012 AB', '1012AZ', '1013 AA', '2000 ZZ', '1999ZZ'],
    prefixes: ['1', '101', '1012', '1012 A', '20'],
    ranges: [
      { from: '1012', to: '1013' },
      { from: '1012AC', to: '1013AA' },
      { from: '10', to: '19' },
    ],
  },
};

/** The zone that applies, by a scan of all zones. */
function winnerOf(
  country: string,
  code: string,
  zones: readonly (Areas & { name: string; priority: number })[],
): string | undefined {
  const key = keyOf(country, code) ?? '';
  return zones
    .flatMap(({ name, priority, ...areas }) =>
      intervalsOf(country, areas)
        .intervals.filter(({ low, high }) => low <= key && key <= high)
        .map(({ specificity }) => ({ name, priority, specificity })),
    )
    .sort(
      (a, b) =>
        b.priority - a.priority || b.specificity - a.specificity || (a.name < b.name ? -1 : 1),
    )[0]?.name;
}

describe('the zone that the database finds is the one that applies', () => {
  it.each(Object.entries(kinds))(
    '%s',
    async (country, { codes, prefixes, ranges }) => {
      const zone = fc.record({
        priority: fc.integer({ min: 0, max: 2 }),
        codes: fc.subarray([...codes], { maxLength: 2 }),
        ranges: fc.subarray([...ranges], { maxLength: 2 }),
        prefixes: fc.subarray([...prefixes], { maxLength: 2 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(zone, { minLength: 1, maxLength: 8 }), async (drawn) => {
          const zones = drawn.map((each, at) => ({ name: `${at}`, ...each }));
          const payload = {
            zones: zones.map((each) => ({
              country,
              ...each,
              services: [{ code: 'standard', min_days: 1, max_days: 2 }],
            })),
            replace: true,
          };
          const admin = new TestClient(app).as(asAdmin);
          const stored = await admin.post('/api/v1/deliverability/zones/bulk', payload);
          expect(stored.status).toBe(200);
          for (const code of codes) {
            const query = { country, postal_code: code };
            const { body } = await admin.get<CheckView>('/api/v1/deliverability', { query });
            expect(body.zone?.name, code).toBe(winnerOf(country, code, zones));
          }
        }),
        { numRuns: 40 },
      );
    },
    120_000,
  );
});
