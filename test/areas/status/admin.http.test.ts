import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../src/lib/durations.ts';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { iso, type Shown, statusOf } from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const app = await freshApp({ clock: { now: () => now }, isEmbedded: true });
const status = statusOf(app);
const { admin } = status;

const unknownId = '01900000-0000-7000-8000-000000000000';
const audited = async (action: string) =>
  (
    await admin
      .at('')
      .get<{ data: { target: { id: string }; actor: unknown }[] }>(`/api/v1/audit?action=${action}`)
  ).body.data;

describe('components', () => {
  const tcp = { source: 'tcp', target: 'host.example:80' };
  const api = { name: 'Public API (EU)', ...tcp };

  it('of the service itself exist from the start, with short ids', async () => {
    const { components, status: overall } = await status.summary();
    const ids = ['database', 'redis', 'jobs', 'analytics', 'realtime'];
    expect(components.map(({ id }) => id)).toEqual(ids);
    expect(overall).toEqual({ indicator: 'none', description: 'All Systems Operational' });
    const { body } = await admin.get<{ data: Shown[]; total: number }>('/components');
    expect(body).toMatchObject({ total: 5, data: ids.map((id) => ({ id })) });
    expect(body.data[2]).toMatchObject({
      name: 'Background jobs',
      source: 'builtin',
      settings: null,
    });
  });

  it('can be changed only by admins', async () => {
    const anyone = new TestClient(app).at('/api/v1/status');
    for (const response of [
      await anyone.get('/components'),
      await anyone.post('/incidents', { name: 'x', body: 'x' }),
    ])
      expect(response).toBeProblem(401, 'request.unauthenticated');
    expect((await status.summary()).incidents).toEqual([]);
  });

  it('of the service itself can be renamed, but not deleted or retargeted', async () => {
    const renamed = { name: 'Sessions', group: 'Data stores' };
    const hidden = { only_show_if_degraded: true };
    expect(await admin.patch('/components/redis', { ...renamed, ...hidden })).toMatchObject({
      status: 200,
      body: renamed,
    });
    const group = (await status.summary()).components.find((each) => each.group === true);
    expect(group).toMatchObject({
      name: 'Data stores',
      components: ['redis'],
      status: 'operational',
    });
    expect(await status.component('redis')).toMatchObject({
      name: 'Sessions',
      group_id: group?.id,
      ...hidden,
    });
    for (const response of [
      await admin.delete('/components/redis'),
      await admin.patch('/components/redis', { target: 'http://localhost' }),
    ])
      expect(response).toBeProblem(409, 'status.component_builtin');
    const before = { name: 'Redis', group: null, only_show_if_degraded: false };
    expect(await admin.patch('/components/redis', before)).toMatchObject({ status: 200 });
    expect((await status.summary()).components).toHaveLength(5);
  });

  it('that were added keep omitted fields, and their ids stay taken after deletion', async () => {
    const url = '/components/public-api-eu';
    expect(
      await admin.post('/components', {
        name: api.name,
        source: 'http',
        target: 'http://127.0.0.1:1/',
        settings: { interval_s: 3600, expected_status: [204] },
      }),
    ).toMatchObject({
      status: 200,
      body: {
        id: 'public-api-eu',
        position: 6,
        status: 'operational',
        settings: { interval_s: 3600, timeout_ms: 10_000, expected_status: [204] },
      },
    });
    expect((await admin.patch(url, { settings: { timeout_ms: 500 } })).body).toMatchObject({
      name: api.name,
      settings: { interval_s: 3600, timeout_ms: 500, expected_status: [204] },
    });
    for (const id of ['public-api-eu', 'email'])
      expect(await admin.post('/components', { ...api, id })).toBeProblem(
        409,
        'status.component_exists',
      );
    expect(await admin.delete(url)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await status.component('public-api-eu')).toBeUndefined();
    expect(await admin.post('/components', api)).toBeProblem(409, 'status.component_exists');
    expect(await admin.patch(url, { name: 'x' })).toBeProblem(404, 'status.component_not_found');
    expect(await audited('status.component_archived')).toMatchObject([
      { target: { id: 'public-api-eu' } },
    ]);
  });

  const http = (target: string) => ({ source: 'http', target });
  it.each([
    ['a link-local address', http('http://169.254.169.254/latest/meta-data')],
    ['a link-local address as a number', http('http://0xa9fea9fe/')],
    ['a link-local address of IPv6', { source: 'tcp', target: '[fe80::1]:80' }],
    ["a link-local address in IPv6's clothes", http('http://[::ffff:169.254.1.1]/')],
    ["an address of a cloud's metadata", { source: 'tcp', target: '100.100.100.200:80' }],
    ["an IPv6 address of a cloud's metadata", http('http://[fd00:ec2::254]/latest/meta-data')],
    ['a link-local address behind NAT64', http('http://[64:ff9b::169.254.169.254]/')],
    ['a link-local address by 6to4', http('http://[2002:a9fe:a9fe::1]/')],
    ['a password in the URL', http('http://user:secret@host.example/')],
    ['another protocol', http('file:///etc/passwd')],
    ['a NUL in the URL', http('http://host.example/\0')],
    ['a line break in the URL', http('http://host.example/a\nb')],
    ['a tab in the URL', http('http://ho\tst.example/')],
    ['a lone surrogate in the URL', http('http://host.example/\ud800')],
    ['no port', { source: 'tcp', target: 'host.example' }],
    ['port 0', { source: 'tcp', target: 'host.example:0' }],
    ['a short interval', { ...tcp, settings: { interval_s: 14 } }],
    ['an unknown setting', { ...tcp, settings: { interval: 60 } }],
    ['a line break in its name', { ...tcp, name: 'a\nb' }],
    ['an invalid id', { ...tcp, id: 'A b' }],
    ['a source of its own', { source: 'builtin', target: 'x' }],
  ])('with %s are refused, and nothing is added', async (_what, fields) => {
    expect(await admin.post('/components', { name: 'Odd one', ...fields })).toMatchObject({
      status: 422,
      body: { detail: expect.any(Array) as unknown },
    });
    expect(await status.countComponents()).toBe(5);
  });
});

describe('incidents', () => {
  it('set the status of their components while they are open', async () => {
    const jobs = { id: 'jobs', status: 'degraded_performance' };
    const opened = await status.openIncident({
      components: [
        { id: 'jobs', status: 'partial_outage' },
        { id: 'analytics', status: 'degraded_performance' },
      ],
    });
    expect(opened.status).toBe(200);
    const { id } = opened.body;
    expect(await status.summary()).toMatchObject({
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
    expect(await status.component('jobs')).toMatchObject({ status: 'partial_outage' });
    now += minuteMs;
    expect(
      (await status.updateIncident(id, 'identified', { components: [jobs] })).body,
    ).toMatchObject({ status: 'identified', components: [jobs] });
    expect(await status.component('analytics')).toMatchObject({ status: 'operational' });
    now += minuteMs;
    expect((await status.updateIncident(id, 'resolved')).body).toMatchObject({
      status: 'resolved',
      resolved_at: iso(now),
    });
    expect(await status.summary()).toMatchObject({ status: { indicator: 'none' }, incidents: [] });
    expect(app.services.status.state().history[0]).toMatchObject({
      id,
      status: 'resolved',
      components: ['jobs'],
      updates: [{ status: 'resolved' }, { status: 'identified' }, { status: 'investigating' }],
    });
    expect(status.today('jobs')).toEqual({
      day: '2026-06-01',
      worst: 'partial_outage',
      ms: { partial_outage: minuteMs, degraded_performance: minuteMs },
    });
    expect(status.today('analytics')?.ms).toEqual({ degraded_performance: minuteMs });
    expect((await audited('status.incident_resolved'))[0]).toMatchObject({
      target: { id },
      actor: { kind: 'api_key', id: 'env' },
    });
  });

  it('keep the time of their last change when a request changes nothing', async () => {
    const { id } = (await status.openIncident()).body;
    const { name, updated_at: before } = (await admin.get(`/incidents/${id}`)).body;
    for (const body of [{}, { name }])
      expect(await admin.patch(`/incidents/${id}`, body)).toMatchObject({
        status: 200,
        body: { updated_at: before },
      });
    now += minuteMs;
    const changed = await admin.patch<{ updated_at: string }>(`/incidents/${id}`, { name: 'New' });
    expect(changed.body.updated_at > String(before)).toBe(true);
    await admin.delete(`/incidents/${id}`);
  });

  it("accept a postmortem once resolved, and can't be resolved twice", async () => {
    const { id } = (await status.openIncident()).body;
    expect(await status.updateIncident(id, 'postmortem')).toBeProblem(409, 'status.incident_open');
    await status.updateIncident(id, 'resolved');
    for (const response of [
      await status.updateIncident(id, 'resolved'),
      await admin.patch(`/incidents/${id}`, { components: [] }),
    ])
      expect(response).toBeProblem(409, 'status.incident_over');
    expect(await status.updateIncident(id, 'postmortem')).toMatchObject({
      status: 200,
      body: { status: 'postmortem' },
    });
    expect((await admin.get(`/incidents/${id}`)).body.incident_updates).toMatchObject([
      { status: 'postmortem' },
      { status: 'resolved' },
      { status: 'investigating' },
    ]);
  });

  it('count with their impact, even without components', async () => {
    const { id } = (await status.openIncident({ impact: 'critical' })).body;
    expect((await status.summary()).status).toEqual({
      indicator: 'critical',
      description: 'Major System Outage',
    });
    const changed = { impact: 'minor', name: 'A little slow' };
    expect((await admin.patch(`/incidents/${id}`, changed)).body).toMatchObject(changed);
    expect((await status.summary()).status.description).toBe('Partially Degraded Service');
    await admin.delete(`/incidents/${id}`);
  });

  it('that are deleted no longer affect the uptime', async () => {
    const before = status.today('database');
    const components = [{ id: 'database', status: 'major_outage' }];
    const { id } = (await status.openIncident({ components })).body;
    now += hourMs;
    expect(status.today('database')?.ms.major_outage).toBe(hourMs);
    expect(await admin.delete(`/incidents/${id}`)).toMatchObject({
      status: 200,
      body: { deleted: true, id },
    });
    expect(status.today('database')).toEqual(before);
    for (const response of [
      await admin.get(`/incidents/${id}`),
      await admin.delete(`/incidents/${id}`),
    ])
      expect(response).toBeProblem(404, 'status.incident_not_found');
  });

  it('are listed by page and status', async () => {
    const list = async (query: string) =>
      (await admin.get<{ data: Shown[]; next_cursor: string | null }>(`/incidents?${query}`)).body;
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.push((await status.openIncident()).body.id);
    const first = await list('status=open&limit=2');
    expect(first.data).toHaveLength(2);
    const second = await list(`status=open&limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id).sort()).toEqual(made.toSorted());
    expect(second.next_cursor).toBeNull();
    expect((await list('status=postmortem')).data).toHaveLength(1);
    for (const id of made) await admin.delete(`/incidents/${id}`);
  });

  const jobs = { id: 'jobs', status: 'major_outage' };
  it.each([
    ['an unknown component', { components: [{ ...jobs, id: 'nothing' }] }],
    ['a component twice', { components: [jobs, { ...jobs, status: 'operational' }] }],
    ['a status of maintenance alone', { components: [{ ...jobs, status: 'under_maintenance' }] }],
    ['no words', { body: ' ' }],
    ['a NUL', { body: 'a\0b' }],
    ['a status of maintenance', { status: 'in_progress' }],
    ['an end before its beginning', { status: 'resolved' }],
    ['too long a name', { name: 'x'.repeat(201) }],
    ['an unknown member', { impacts: 'minor' }],
  ])('with %s are refused, and nothing is opened', async (_what, fields) => {
    expect(await status.openIncident(fields)).toMatchObject({
      status: 422,
      body: { detail: expect.any(Array) as unknown },
    });
    expect((await status.summary()).incidents).toEqual([]);
  });

  it('that do not exist get 404, even when a maintenance has the id', async () => {
    const { id } = (await plan()).body;
    for (const each of [unknownId, id]) {
      for (const response of [
        await admin.get(`/incidents/${each}`),
        await status.updateIncident(each, 'resolved'),
        await admin.patch(`/incidents/${each}`, { name: 'x' }),
        await admin.delete(`/incidents/${each}`),
      ])
        expect(response).toBeProblem(404, 'status.incident_not_found');
    }
    expect(await admin.get('/incidents/nothing')).toMatchObject({ status: 422 });
    expect(await admin.delete(`/maintenances/${id}`)).toMatchObject({ status: 200 });
  });
});

/** Plans maintenance of the database, which begins in ten minutes and takes as long. */
const plan = (fields: object = {}) =>
  admin.post<Shown>('/maintenances', {
    name: 'Database move',
    body: 'We move house.',
    components: ['database'],
    scheduled_for: iso(now + 10 * minuteMs),
    scheduled_until: iso(now + 20 * minuteMs),
    ...fields,
  });

describe('maintenance', () => {
  const change = (id: string, changed: string) =>
    admin.post(`/maintenances/${id}/updates`, { status: changed, body: 'Some words.' });
  const tick = () => app.services.status.recorder.tick();

  it('starts and completes automatically with an update, and is no downtime', async () => {
    const planned = now;
    const { id } = (await plan()).body;
    await tick();
    expect(await status.summary()).toMatchObject({
      status: { indicator: 'none' },
      scheduled_maintenances: [{ id, status: 'scheduled' }],
    });
    now += 603_000;
    await tick();
    expect(await status.summary()).toMatchObject({
      status: { indicator: 'maintenance', description: 'Service Under Maintenance' },
      scheduled_maintenances: [{ id, status: 'in_progress' }],
    });
    expect(await status.component('database')).toMatchObject({ status: 'under_maintenance' });
    await tick();
    now += 600_000;
    await tick();
    expect(await status.summary()).toMatchObject({
      status: { indicator: 'none' },
      scheduled_maintenances: [],
    });
    expect((await admin.get(`/maintenances/${id}`)).body).toMatchObject({
      status: 'completed',
      resolved_at: iso(planned + 20 * minuteMs),
      incident_updates: [
        { status: 'completed' },
        { status: 'in_progress' },
        { status: 'scheduled' },
      ],
    });
    expect(status.today('database')?.ms).toEqual({ under_maintenance: 600_000 });
    const { components } = app.services.status.state();
    expect(components.find((each) => each.id === 'database')?.uptime).toBe(100);
    expect((await audited('status.maintenance_completed'))[0]).toMatchObject({
      target: { id },
      actor: { kind: 'system' },
    });
  });

  it('can be started, extended and completed by an admin', async () => {
    const { id } = (await plan()).body;
    expect((await change(id, 'in_progress')).body).toMatchObject({ status: 'in_progress' });
    expect(await status.component('database')).toMatchObject({ status: 'under_maintenance' });
    for (const response of [
      await admin.patch(`/maintenances/${id}`, { scheduled_for: iso(now) }),
      await change(id, 'scheduled'),
    ])
      expect(response).toBeProblem(409, 'status.maintenance_running');
    const later = iso(now + 150 * minuteMs);
    const moved = { scheduled_until: later, components: ['redis'] };
    expect((await admin.patch(`/maintenances/${id}`, moved)).body).toMatchObject({
      scheduled_until: later,
      components: [{ id: 'redis', status: 'under_maintenance' }],
    });
    expect(await status.component('database')).toMatchObject({ status: 'operational' });
    expect(await status.component('redis')).toMatchObject({ status: 'under_maintenance' });
    now += 1_300_000;
    await tick();
    for (const next of ['verifying', 'completed'])
      expect((await change(id, next)).body).toMatchObject({ status: next });
    expect(await change(id, 'in_progress')).toBeProblem(409, 'status.maintenance_over');
    expect(await status.component('redis')).toMatchObject({ status: 'operational' });
  });

  it('must end after it begins, and not in the past', async () => {
    for (const fields of [
      { scheduled_until: iso(now + 10 * minuteMs) },
      { scheduled_for: iso(now - 2000), scheduled_until: iso(now - 1000) },
      { scheduled_for: 'tomorrow' },
      { components: ['nothing'] },
    ])
      expect(await plan(fields)).toMatchObject({ status: 422 });
    const { id, scheduled_for: begin, scheduled_until: end } = (await plan()).body;
    const url = `/maintenances/${id}`;
    expect(await admin.patch(url, { scheduled_for: end })).toMatchObject({ status: 422 });
    expect((await admin.get(url)).body).toMatchObject({ scheduled_for: begin });
    await admin.delete(url);
    expect((await status.summary()).scheduled_maintenances).toEqual([]);
  });
});
