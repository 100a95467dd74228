import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';

const base = '/api/v1/status';
let app: FreshApp;
let now = Date.UTC(2026, 5, 1, 12);
beforeAll(async () => {
  app = await freshApp({ clock: { now: () => now }, isEmbedded: true });
}, 60_000);
afterAll(() => app.close());

interface Body extends Record<string, unknown> {
  id: string;
  status: string;
  incident_updates: { status: string; body: string }[];
  components: { id: string; status: string }[];
}
async function ask(
  method: InjectOptions['method'],
  url: string,
  payload?: object,
  headers: Record<string, string> = asAdmin,
) {
  const answer = await app.http.inject({
    method: method ?? 'GET',
    url: url.startsWith('/api') ? url : `${base}${url}`,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json<Body>() };
}
const summary = async () =>
  (await ask('GET', '/api/status', undefined, {})).body as unknown as {
    status: { indicator: string; description: string };
    components: Body[];
    incidents: Body[];
    scheduled_maintenances: Body[];
  };
const component = async (id: string) => (await summary()).components.find((each) => each.id === id);
const unknownId = '01900000-0000-7000-8000-000000000000';
const open = (fields: object = {}) =>
  ask('POST', '/incidents', { name: 'Slow answers', body: 'We look into it.', ...fields });
const audited = async (action: string) =>
  (await ask('GET', `/api/v1/audit?action=${action}`)).body.data as {
    target: { id: string };
    actor: unknown;
  }[];

describe('components', () => {
  it('of the service itself exist from the start, with short ids', async () => {
    const { components, status } = await summary();
    expect(components.map(({ id }) => id)).toEqual([
      'database',
      'redis',
      'jobs',
      'analytics',
      'realtime',
    ]);
    expect(status).toEqual({ indicator: 'none', description: 'All Systems Operational' });
    expect((await ask('GET', '/components')).body).toMatchObject({
      total: 5,
      data: [
        { id: 'database' },
        { id: 'redis' },
        { id: 'jobs', name: 'Background jobs', source: 'builtin', settings: null },
        { id: 'analytics' },
        { id: 'realtime' },
      ],
    });
  });

  it('can be changed only by admins', async () => {
    expect((await ask('GET', '/components', undefined, {})).status).toBe(401);
    expect((await ask('POST', '/incidents', { name: 'x', body: 'x' }, {})).status).toBe(401);
    expect((await summary()).incidents).toEqual([]);
  });

  it('of the service itself can be renamed, but not deleted or retargeted', async () => {
    expect(
      await ask('PATCH', '/components/redis', {
        name: 'Sessions',
        group: 'Data stores',
        only_show_if_degraded: true,
      }),
    ).toMatchObject({ status: 200, body: { name: 'Sessions', group: 'Data stores' } });
    const group = (await summary()).components.find((each) => each.group === true);
    expect(group).toMatchObject({
      name: 'Data stores',
      components: ['redis'],
      status: 'operational',
    });
    expect(await component('redis')).toMatchObject({
      name: 'Sessions',
      group_id: group?.id,
      only_show_if_degraded: true,
    });
    expect(await ask('DELETE', '/components/redis')).toMatchObject({
      status: 409,
      body: { code: 'status.component_builtin' },
    });
    expect(await ask('PATCH', '/components/redis', { target: 'http://localhost' })).toMatchObject({
      status: 409,
      body: { code: 'status.component_builtin' },
    });
    expect(
      (
        await ask('PATCH', '/components/redis', {
          name: 'Redis',
          group: null,
          only_show_if_degraded: false,
        })
      ).status,
    ).toBe(200);
    expect((await summary()).components).toHaveLength(5);
  });

  it('that were added keep omitted fields, and their ids stay taken after deletion', async () => {
    const made = await ask('POST', '/components', {
      name: 'Public API (EU)',
      source: 'http',
      target: 'http://127.0.0.1:1/',
      settings: { interval_s: 3600, expected_status: [204] },
    });
    expect(made).toMatchObject({
      status: 200,
      body: {
        id: 'public-api-eu',
        position: 6,
        status: 'operational',
        settings: { interval_s: 3600, timeout_ms: 10_000, expected_status: [204] },
      },
    });
    expect(
      (await ask('PATCH', '/components/public-api-eu', { settings: { timeout_ms: 500 } })).body,
    ).toMatchObject({
      name: 'Public API (EU)',
      settings: { interval_s: 3600, timeout_ms: 500, expected_status: [204] },
    });
    expect(
      await ask('POST', '/components', {
        id: 'public-api-eu',
        name: 'x',
        source: 'tcp',
        target: 'localhost:80',
      }),
    ).toMatchObject({ status: 409, body: { code: 'status.component_exists' } });
    expect(
      await ask('POST', '/components', {
        id: 'email',
        name: 'x',
        source: 'tcp',
        target: 'localhost:80',
      }),
    ).toMatchObject({ status: 409 });
    expect(await ask('DELETE', '/components/public-api-eu')).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect(await component('public-api-eu')).toBeUndefined();
    expect(
      await ask('POST', '/components', {
        name: 'Public API (EU)',
        source: 'tcp',
        target: 'localhost:80',
      }),
    ).toMatchObject({ status: 409 });
    expect(await ask('PATCH', '/components/public-api-eu', { name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'status.component_not_found' },
    });
    expect((await audited('status.component_archived')).map(({ target }) => target.id)).toEqual([
      'public-api-eu',
    ]);
  });

  it.each([
    ['a link-local address', { source: 'http', target: 'http://169.254.169.254/latest/meta-data' }],
    ['a link-local address as a number', { source: 'http', target: 'http://0xa9fea9fe/' }],
    ['a link-local address of IPv6', { source: 'tcp', target: '[fe80::1]:80' }],
    [
      "a link-local address in IPv6's clothes",
      { source: 'http', target: 'http://[::ffff:169.254.1.1]/' },
    ],
    ["an address of a cloud's metadata", { source: 'tcp', target: '100.100.100.200:80' }],
    [
      "an address of a cloud's metadata in IPv6",
      { source: 'http', target: 'http://[fd00:ec2::254]/latest/meta-data' },
    ],
    [
      'a link-local address behind NAT64',
      { source: 'http', target: 'http://[64:ff9b::169.254.169.254]/' },
    ],
    ['a link-local address by 6to4', { source: 'http', target: 'http://[2002:a9fe:a9fe::1]/' }],
    ['a password in the URL', { source: 'http', target: 'http://user:secret@host.example/' }],
    ['another protocol', { source: 'http', target: 'file:///etc/passwd' }],
    ['no port', { source: 'tcp', target: 'host.example' }],
    ['port 0', { source: 'tcp', target: 'host.example:0' }],
    [
      'a short interval',
      { source: 'tcp', target: 'host.example:80', settings: { interval_s: 14 } },
    ],
    [
      'an unknown setting',
      { source: 'tcp', target: 'host.example:80', settings: { interval: 60 } },
    ],
    ['a line break in its name', { source: 'tcp', target: 'host.example:80', name: 'a\nb' }],
    ['an id that is none', { source: 'tcp', target: 'host.example:80', id: 'A b' }],
    ['a source of its own', { source: 'builtin', target: 'x' }],
  ])('with %s are refused with 422, and nothing is added', async (_what, fields) => {
    const { status, body } = await ask('POST', '/components', { name: 'Odd one', ...fields });
    expect(status).toBe(422);
    expect(body.detail).toBeInstanceOf(Array);
    expect((await ask('GET', '/components')).body.total).toBe(5);
  });
});

describe('incidents', () => {
  it('set the status of their components while they are open', async () => {
    const {
      status,
      body: { id },
    } = await open({
      components: [
        { id: 'jobs', status: 'partial_outage' },
        { id: 'analytics', status: 'degraded_performance' },
      ],
    });
    expect(status).toBe(200);
    expect(await summary()).toMatchObject({
      status: { indicator: 'major', description: 'Partial System Outage' },
      incidents: [
        {
          id,
          impact: 'major',
          status: 'investigating',
          incident_updates: [{ body: 'We look into it.' }],
          components: [{ id: 'jobs' }, { id: 'analytics' }],
        },
      ],
    });
    expect(await component('jobs')).toMatchObject({ status: 'partial_outage' });
    now += 60_000;
    const identified = await ask('POST', `/incidents/${id}/updates`, {
      status: 'identified',
      body: 'Found it.\n\nA fix is on its way.',
      components: [{ id: 'jobs', status: 'degraded_performance' }],
    });
    expect(identified.body).toMatchObject({
      status: 'identified',
      components: [{ id: 'jobs', status: 'degraded_performance' }],
    });
    expect(await component('analytics')).toMatchObject({ status: 'operational' });
    now += 60_000;
    expect(
      (await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Done.' })).body,
    ).toMatchObject({ status: 'resolved', resolved_at: new Date(now).toISOString() });
    expect(await summary()).toMatchObject({ status: { indicator: 'none' }, incidents: [] });
    const state = app.services.status.state();
    expect(state.history[0]).toMatchObject({ id, status: 'resolved', components: ['jobs'] });
    expect(state.history[0]?.updates.map(({ status: each }) => each)).toEqual([
      'resolved',
      'identified',
      'investigating',
    ]);
    expect(state.components.find((each) => each.id === 'jobs')?.days.at(-1)).toEqual({
      day: '2026-06-01',
      worst: 'partial_outage',
      ms: { partial_outage: 60_000, degraded_performance: 60_000 },
    });
    expect(state.components.find((each) => each.id === 'analytics')?.days.at(-1)?.ms).toEqual({
      degraded_performance: 60_000,
    });
    expect((await audited('status.incident_resolved'))[0]).toMatchObject({
      target: { id },
      actor: { kind: 'api_key', id: 'env' },
    });
  });

  it("accept a postmortem once resolved, and can't be resolved twice", async () => {
    const {
      body: { id },
    } = await open();
    expect(
      await ask('POST', `/incidents/${id}/updates`, { status: 'postmortem', body: 'Why' }),
    ).toMatchObject({ status: 409, body: { code: 'status.incident_open' } });
    await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Done.' });
    expect(
      await ask('POST', `/incidents/${id}/updates`, { status: 'resolved', body: 'Again' }),
    ).toMatchObject({ status: 409, body: { code: 'status.incident_over' } });
    expect(await ask('PATCH', `/incidents/${id}`, { components: [] })).toMatchObject({
      status: 409,
      body: { code: 'status.incident_over' },
    });
    expect(
      await ask('POST', `/incidents/${id}/updates`, { status: 'postmortem', body: 'Why' }),
    ).toMatchObject({ status: 200, body: { status: 'postmortem' } });
    expect(
      (await ask('GET', `/incidents/${id}`)).body.incident_updates.map(({ status }) => status),
    ).toEqual(['postmortem', 'resolved', 'investigating']);
  });

  it('count with their impact, even without components', async () => {
    const {
      body: { id },
    } = await open({ impact: 'critical' });
    expect((await summary()).status).toEqual({
      indicator: 'critical',
      description: 'Major System Outage',
    });
    expect(
      (await ask('PATCH', `/incidents/${id}`, { impact: 'minor', name: 'A little slow' })).body,
    ).toMatchObject({ impact: 'minor', name: 'A little slow' });
    expect((await summary()).status.description).toBe('Partially Degraded Service');
    await ask('DELETE', `/incidents/${id}`);
  });

  it('that are deleted no longer affect the uptime', async () => {
    const before = app.services.status
      .state()
      .components.find((each) => each.id === 'database')
      ?.days.at(-1);
    const {
      body: { id },
    } = await open({ components: [{ id: 'database', status: 'major_outage' }] });
    now += 3_600_000;
    expect(
      app.services.status
        .state()
        .components.find((each) => each.id === 'database')
        ?.days.at(-1)?.ms.major_outage,
    ).toBe(3_600_000);
    expect(await ask('DELETE', `/incidents/${id}`)).toMatchObject({
      status: 200,
      body: { deleted: true, id },
    });
    expect(
      app.services.status
        .state()
        .components.find((each) => each.id === 'database')
        ?.days.at(-1),
    ).toEqual(before);
    expect(await ask('GET', `/incidents/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'status.incident_not_found' },
    });
    expect(await ask('DELETE', `/incidents/${id}`)).toMatchObject({ status: 404 });
  });

  it('are listed by page and status', async () => {
    const made = [await open(), await open(), await open()].map(({ body }) => body.id);
    const first = (await ask('GET', '/incidents?status=open&limit=2')).body as unknown as {
      data: Body[];
      next_cursor: string;
    };
    expect(first.data).toHaveLength(2);
    const second = (await ask('GET', `/incidents?status=open&limit=2&cursor=${first.next_cursor}`))
      .body as unknown as { data: Body[]; next_cursor: null };
    expect([...first.data, ...second.data].map(({ id }) => id).sort()).toEqual([...made].sort());
    expect(second.next_cursor).toBeNull();
    expect((await ask('GET', '/incidents?status=postmortem')).body.data as Body[]).toHaveLength(1);
    for (const id of made) await ask('DELETE', `/incidents/${id}`);
  });

  it.each([
    ['an unknown component', { components: [{ id: 'nothing', status: 'major_outage' }] }],
    [
      'a component twice',
      {
        components: [
          { id: 'jobs', status: 'major_outage' },
          { id: 'jobs', status: 'operational' },
        ],
      },
    ],
    [
      'a status that only maintenance gives',
      { components: [{ id: 'jobs', status: 'under_maintenance' }] },
    ],
    ['no words', { body: ' ' }],
    ['a NUL', { body: 'a\0b' }],
    ['a status of maintenance', { status: 'in_progress' }],
    ['an end before its beginning', { status: 'resolved' }],
    ['too long a name', { name: 'x'.repeat(201) }],
    ['an unknown member', { impacts: 'minor' }],
  ])('with %s are refused with 422, and nothing is opened', async (_what, fields) => {
    const { status, body } = await open(fields);
    expect(status).toBe(422);
    expect(body.detail).toBeInstanceOf(Array);
    expect((await summary()).incidents).toEqual([]);
  });

  it('that do not exist get 404, also when a maintenance has the id', async () => {
    const {
      body: { id },
    } = await ask('POST', '/maintenances', {
      name: 'Move',
      body: 'Soon',
      scheduled_for: new Date(now + 3_600_000).toISOString(),
      scheduled_until: new Date(now + 7_200_000).toISOString(),
    });
    for (const each of [unknownId, id]) {
      expect(await ask('GET', `/incidents/${each}`)).toMatchObject({
        status: 404,
        body: { code: 'status.incident_not_found' },
      });
      expect(
        (await ask('POST', `/incidents/${each}/updates`, { status: 'resolved', body: 'x' })).status,
      ).toBe(404);
      expect((await ask('PATCH', `/incidents/${each}`, { name: 'x' })).status).toBe(404);
      expect((await ask('DELETE', `/incidents/${each}`)).status).toBe(404);
    }
    expect((await ask('GET', '/incidents/nothing')).status).toBe(422);
    expect((await ask('DELETE', `/maintenances/${id}`)).status).toBe(200);
  });
});

describe('maintenance', () => {
  const plan = (fields: object = {}) =>
    ask('POST', '/maintenances', {
      name: 'Database move',
      body: 'We move house.',
      components: ['database'],
      scheduled_for: new Date(now + 600_000).toISOString(),
      scheduled_until: new Date(now + 1_200_000).toISOString(),
      ...fields,
    });

  it('starts and completes automatically with an update, and is no downtime', async () => {
    const planned = now;
    const {
      body: { id },
    } = await plan();
    await app.services.status.recorder.tick();
    expect(await summary()).toMatchObject({
      status: { indicator: 'none' },
      scheduled_maintenances: [{ id, status: 'scheduled' }],
    });
    now += 603_000;
    await app.services.status.recorder.tick();
    expect(await summary()).toMatchObject({
      status: { indicator: 'maintenance', description: 'Service Under Maintenance' },
      scheduled_maintenances: [{ id, status: 'in_progress' }],
    });
    expect(await component('database')).toMatchObject({ status: 'under_maintenance' });
    await app.services.status.recorder.tick();
    now += 600_000;
    await app.services.status.recorder.tick();
    expect(await summary()).toMatchObject({
      status: { indicator: 'none' },
      scheduled_maintenances: [],
    });
    const { body } = await ask('GET', `/maintenances/${id}`);
    expect(body).toMatchObject({
      status: 'completed',
      resolved_at: new Date(planned + 1_200_000).toISOString(),
    });
    expect(body.incident_updates.map(({ status }) => status)).toEqual([
      'completed',
      'in_progress',
      'scheduled',
    ]);
    const database = app.services.status.state().components.find((each) => each.id === 'database');
    expect(database?.days.at(-1)?.ms).toEqual({ under_maintenance: 600_000 });
    expect(database?.uptime).toBe(100);
    expect((await audited('status.maintenance_completed'))[0]).toMatchObject({
      target: { id },
      actor: { kind: 'system' },
    });
  });

  it('can be started, extended and completed by an admin', async () => {
    const {
      body: { id },
    } = await plan();
    expect(
      (await ask('POST', `/maintenances/${id}/updates`, { status: 'in_progress', body: 'Early.' }))
        .body,
    ).toMatchObject({ status: 'in_progress' });
    expect(await component('database')).toMatchObject({ status: 'under_maintenance' });
    expect(
      await ask('PATCH', `/maintenances/${id}`, { scheduled_for: new Date(now).toISOString() }),
    ).toMatchObject({ status: 409, body: { code: 'status.maintenance_running' } });
    expect(
      await ask('POST', `/maintenances/${id}/updates`, { status: 'scheduled', body: 'No' }),
    ).toMatchObject({ status: 409, body: { code: 'status.maintenance_running' } });
    const later = new Date(now + 9_000_000).toISOString();
    expect(
      (await ask('PATCH', `/maintenances/${id}`, { scheduled_until: later, components: ['redis'] }))
        .body,
    ).toMatchObject({
      scheduled_until: later,
      components: [{ id: 'redis', status: 'under_maintenance' }],
    });
    expect({
      databaseComponent: await component('database'),
      redisComponent: await component('redis'),
    }).toMatchObject({
      databaseComponent: { status: 'operational' },
      redisComponent: { status: 'under_maintenance' },
    });
    now += 1_300_000;
    await app.services.status.recorder.tick();
    expect(
      (await ask('POST', `/maintenances/${id}/updates`, { status: 'verifying', body: 'Looking.' }))
        .body,
    ).toMatchObject({ status: 'verifying' });
    expect(
      (await ask('POST', `/maintenances/${id}/updates`, { status: 'completed', body: 'Done.' }))
        .body,
    ).toMatchObject({ status: 'completed' });
    expect(
      await ask('POST', `/maintenances/${id}/updates`, { status: 'in_progress', body: 'Again' }),
    ).toMatchObject({ status: 409, body: { code: 'status.maintenance_over' } });
    expect(await component('redis')).toMatchObject({ status: 'operational' });
  });

  it('must end after it begins, and not in the past', async () => {
    for (const fields of [
      { scheduled_until: new Date(now + 600_000).toISOString() },
      {
        scheduled_for: new Date(now - 2000).toISOString(),
        scheduled_until: new Date(now - 1000).toISOString(),
      },
      { scheduled_for: 'tomorrow' },
      { components: ['nothing'] },
    ]) {
      expect((await plan(fields)).status).toBe(422);
    }
    const {
      body: { id },
    } = await plan();
    expect(
      (
        await ask('PATCH', `/maintenances/${id}`, {
          scheduled_for: new Date(now + 1_200_000).toISOString(),
        })
      ).status,
    ).toBe(422);
    expect((await ask('GET', `/maintenances/${id}`)).body).toMatchObject({
      scheduled_for: new Date(now + 600_000).toISOString(),
    });
    await ask('DELETE', `/maintenances/${id}`);
    expect((await summary()).scheduled_maintenances).toEqual([]);
  });
});
