import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';

const base = '/api/v1/status';
let app: FreshApp;
let now = Date.UTC(2026, 5, 1, 12);
beforeAll(async () => {
  app = await freshApp({ clock: { now: () => now } });
}, 60_000);
afterAll(() => app.close());

async function ask(method: InjectOptions['method'], path: string, payload?: object | string) {
  const headers = {
    ...asAdmin,
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await app.http.inject({
    method: method ?? 'GET',
    url: base + path,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return {
    status: answer.statusCode,
    body: answer.json<Record<string, unknown> & { id: string; total: number }>(),
  };
}
const publicly = async () => {
  const answer = await app.http.inject({ url: '/api/status' });
  return {
    status: answer.statusCode,
    body: answer.json<{ components: { id: string; name: string; group: boolean }[] }>(),
  };
};
const isoAt = (ms: number) => new Date(ms).toISOString();

describe('unusual texts', () => {
  it.each([
    'http://host.example/\0',
    'http://host.example/a\nb',
    'http://ho\tst.example/',
    'http://host.example/\ud800',
  ])('in a target are refused, not stored: %j', async (target) => {
    expect((await ask('POST', '/components', { name: 'Odd', source: 'http', target })).status).toBe(
      422,
    );
    expect((await ask('GET', '/components')).body.total).toBe(5);
  });

  it('in a path match nothing', async () => {
    for (const id of ['%00', 'a%00b', '%ED%A0%80', '%27%20or%201=1', 'x'.repeat(64)]) {
      expect([400, 404, 422]).toContain(
        (await ask('PATCH', `/components/${id}`, { name: 'x' })).status,
      );
      expect([400, 404, 422]).toContain((await ask('DELETE', `/components/${id}`)).status);
    }
    expect((await ask('GET', '/components')).body.total).toBe(5);
  });

  it('with lone surrogates become well-formed, and the public state stays readable', async () => {
    const half = (members: string) => `{"name":"a\\ud800b","body":"c\\udc00d"${members}}`;
    const { status, body } = await ask('POST', '/incidents', half(''));
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'a\ufffdb' });
    expect(
      (await ask('PATCH', '/components/redis', '{"group":"g\\ud800","description":"\\udfff"}'))
        .status,
    ).toBe(200);
    expect((await publicly()).status).toBe(200);
    expect(
      (await ask('PATCH', '/components/redis', { group: null, description: null })).status,
    ).toBe(200);
    await ask('DELETE', `/incidents/${body.id}`);
  });

  it('can have the maximum length, and no more', async () => {
    const { status, body } = await ask('POST', '/incidents', {
      name: '\u{1F6A8}'.repeat(100),
      body: '<&>\u{1F6A8}'.repeat(2000),
    });
    expect(status).toBe(200);
    expect(
      (
        await ask('POST', `/incidents/${body.id}/updates`, {
          status: 'identified',
          body: 'x'.repeat(10_001),
        })
      ).status,
    ).toBe(422);
    await ask('DELETE', `/incidents/${body.id}`);
  });
});

describe('unusual maintenance times', () => {
  it.each([
    ['0000-01-01T00:00:00Z', isoAt(now + 3_600_000)],
    ['0099-01-01T00:00:00Z', isoAt(now + 3_600_000)],
    [isoAt(now), '9999-12-31T23:59:59-23:59'],
    [isoAt(now), '9999-12-31T00:00:00Z'],
  ])('from %s to %s are refused, not stored', async (from, until) => {
    expect(
      (
        await ask('POST', '/maintenances', {
          name: 'Long',
          body: 'x',
          scheduled_for: from,
          scheduled_until: until,
        })
      ).status,
    ).toBe(422);
    const {
      body: { id },
    } = await ask('POST', '/maintenances', {
      name: 'Move',
      body: 'x',
      scheduled_for: isoAt(now + 60_000),
      scheduled_until: isoAt(now + 120_000),
    });
    expect(
      (await ask('PATCH', `/maintenances/${id}`, { scheduled_for: from, scheduled_until: until }))
        .status,
    ).toBe(422);
    expect((await ask('DELETE', `/maintenances/${id}`)).status).toBe(200);
  });

  it('in the past make it begin at the time of the change, not earlier', async () => {
    const {
      body: { id },
    } = await ask('POST', '/maintenances', {
      name: 'Move',
      body: 'x',
      components: ['redis'],
      scheduled_for: isoAt(now + 9_000_000),
      scheduled_until: isoAt(now + 9_900_000),
    });
    now += 7_200_000;
    const moved = now;
    expect(
      (await ask('PATCH', `/maintenances/${id}`, { scheduled_for: isoAt(now - 7_000_000) })).status,
    ).toBe(200);
    now += 60_000;
    await app.services.status.recorder.tick();
    expect(
      app.services.status
        .state()
        .components.find((each) => each.id === 'redis')
        ?.days.at(-1)?.ms,
    ).toEqual({ under_maintenance: now - moved });
    await ask('DELETE', `/maintenances/${id}`);
  });
});

it('similar group headings have different ids', async () => {
  const names = { redis: 'Data stores', database: 'data-stores', jobs: 'Data Stores' };
  for (const [id, group] of Object.entries(names))
    expect((await ask('PATCH', `/components/${id}`, { group })).status).toBe(200);
  expect(
    (
      await ask('POST', '/components', {
        id: 'group-data-stores',
        name: 'x',
        source: 'tcp',
        target: '127.0.0.1:1',
      })
    ).status,
  ).toBe(200);
  const {
    body: { components },
  } = await publicly();
  expect(new Set(components.map(({ id }) => id)).size).toBe(components.length);
  expect(components.filter(({ group }) => group)).toHaveLength(3);
  await ask('DELETE', '/components/group-data-stores');
  for (const id of Object.keys(names)) await ask('PATCH', `/components/${id}`, { group: null });
});

describe('a reopened incident', () => {
  it('is reopened by an update, with its components, and can be resolved again', async () => {
    const began = now;
    const {
      body: { id },
    } = await ask('POST', '/incidents', {
      name: 'Slow',
      body: 'x',
      components: [{ id: 'jobs', status: 'partial_outage' }],
    });
    now += 60_000;
    await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Done.' });
    await ask('POST', `/incidents/${id}/updates`, { status: 'postmortem', body: 'Why.' });
    now += 60_000;
    const again = await ask('POST', `/incidents/${id}/updates`, {
      status: 'investigating',
      body: 'It came back.',
      components: [{ id: 'jobs', status: 'major_outage' }],
    });
    expect(again).toMatchObject({
      status: 200,
      body: {
        status: 'investigating',
        resolved_at: null,
        components: [{ id: 'jobs', status: 'major_outage' }],
      },
    });
    expect(app.services.status.state()).toMatchObject({
      indicator: 'major',
      incidents: [{ id, resolvedAt: null }],
      history: [],
    });
    now += 60_000;
    expect(
      (await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Done again.' }))
        .body,
    ).toMatchObject({ status: 'resolved', resolved_at: isoAt(now) });
    expect(
      await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Twice.' }),
    ).toMatchObject({ status: 409, body: { code: 'status.incident_over' } });
    const state = app.services.status.state();
    expect(state.history[0]).toMatchObject({ id, createdAt: began, resolvedAt: now });
    expect(state.components.find((each) => each.id === 'jobs')?.days.at(-1)?.ms).toEqual({
      partial_outage: 60_000,
      major_outage: 60_000,
    });
  });
});
