import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest();
});
afterAll(() => client.close());

type What = 'goals' | 'funnels';
const at = (what: What, path: string, name: string) => `/analytics/sites/${name}/${what}${path}`;
const add = (what: What, body: object, { name }: { name: string }) =>
  client.ask('POST', at(what, '', name), asAdmin, body);
const list = async (what: What, name: string) =>
  (await client.ask('GET', at(what, '/', name), asAdmin)).body.data as {
    id: string;
    name: string;
  }[];
const bodies = {
  goals: { name: 'Big plan', kind: 'event', value: 'buy' },
  funnels: {
    name: 'Prices to purchase',
    steps: [
      { kind: 'page', value: '/prices/*' },
      { kind: 'event', value: 'buy' },
    ],
  },
};

describe.each(['goals', 'funnels'] as const)('%s of a site', (what) => {
  const kind = what.slice(0, -1);

  it('have unique names, and are at most a hundred, however many are sent at once', async () => {
    const name = newSite();
    await client.ask('POST', '/analytics/sites', asAdmin, { site_id: name });
    const twins = await Promise.all([
      add(what, bodies[what], { name }),
      add(what, bodies[what], { name }),
    ]);
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(twins.map(({ body }) => body.code)).toContain(`analytics.${kind}_exists`);
    // Patterns are tried out in the event store, where one caller may have only so many questions.
    const answers = [];
    for (let from = 0; from < 101; from += 25) {
      const some = Array.from({ length: Math.min(25, 101 - from) }, (_, index) =>
        add(what, { ...bodies[what], name: `Number ${from + index}` }, { name }),
      );
      answers.push(...(await Promise.all(some)));
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(99);
    expect(
      new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)),
    ).toEqual(new Set([`analytics.too_many_${what}`]));
    const [first, second] = await list(what, name);
    const taken = await client.ask('PATCH', at(what, `/${String(first?.id)}`, name), asAdmin, {
      name: second?.name,
    });
    expect([taken.status, taken.body.code]).toEqual([409, `analytics.${kind}_exists`]);
    expect(await list(what, name)).toHaveLength(100);
  });
});
