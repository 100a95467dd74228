import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest();
});
afterAll(() => client.close());

type Resource = 'goals' | 'funnels';
const at = (resource: Resource, path: string, name: string) =>
  `/analytics/sites/${name}/${resource}${path}`;
const add = (resource: Resource, body: object, { name }: { name: string }) =>
  client.ask('POST', at(resource, '', name), asAdmin, body);
const list = async (resource: Resource, name: string) =>
  (await client.ask('GET', at(resource, '/', name), asAdmin)).body.data as {
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

describe.each(['goals', 'funnels'] as const)('%s of a site', (resource) => {
  const kind = resource.slice(0, -1);

  it('have unique names and number at most a hundred, even under concurrent requests', async () => {
    const name = newSite();
    await client.ask('POST', '/analytics/sites', asAdmin, { site_id: name });
    const twins = await Promise.all([
      add(resource, bodies[resource], { name }),
      add(resource, bodies[resource], { name }),
    ]);
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(twins.map(({ body }) => body.code)).toContain(`analytics.${kind}_exists`);
    // Patterns are tested in the event store, which limits the concurrent queries of a caller.
    const answers = [];
    for (let from = 0; from < 101; from += 25) {
      const some = Array.from({ length: Math.min(25, 101 - from) }, (_, index) =>
        add(resource, { ...bodies[resource], name: `Number ${from + index}` }, { name }),
      );
      answers.push(...(await Promise.all(some)));
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(99);
    expect(
      new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)),
    ).toEqual(new Set([`analytics.too_many_${resource}`]));
    const [first, second] = await list(resource, name);
    const taken = await client.ask('PATCH', at(resource, `/${String(first?.id)}`, name), asAdmin, {
      name: second?.name,
    });
    expect({ status: taken.status, code: taken.body.code }).toEqual({
      status: 409,
      code: `analytics.${kind}_exists`,
    });
    expect(await list(resource, name)).toHaveLength(100);
  });
});
