import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../src/lib/durations.ts';
import { freshApp } from '../../support/app.ts';
import { iso, type Shown, statusOf } from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const app = await freshApp({ clock: { now: () => now } });
const status = statusOf(app);
const { admin } = status;

const json = { headers: { 'content-type': 'application/json' } };
const plan = (from: string, until: string) =>
  admin.post<Shown>('/maintenances', {
    name: 'Move',
    body: 'x',
    components: ['redis'],
    scheduled_for: from,
    scheduled_until: until,
  });

describe('unusual texts', () => {
  it.each(['%00', 'a%00b', '%ED%A0%80', '%27%20or%201=1', 'x'.repeat(64)])(
    'in a path match nothing: %s',
    async (id) => {
      for (const response of [
        await admin.patch(`/components/${id}`, { name: 'x' }),
        await admin.delete(`/components/${id}`),
      ])
        expect([400, 404, 422]).toContain(response.status);
      expect(await status.countComponents()).toBe(5);
    },
  );

  it('with lone surrogates or NUL are refused, and the public state stays readable', async () => {
    const half = '{"name":"a\\ud800b","body":"c\\u0000d"}';
    expect(await admin.post('/incidents', half, json)).toBeInvalid('body.name', 'body.body');
    const change = '{"group":"g\\ud800","description":"\\udfff"}';
    const refused = await admin.patch('/components/redis', change, json);
    expect(refused).toBeInvalid('body.group', 'body.description');
    const state = await admin.at('').get('/api/status');
    expect(state).toMatchObject({ status: 200 });
    expect(state.text).not.toContain('\ufffd');
  });

  it('can have the maximum length, and no more', async () => {
    const { status: code, body } = await status.openIncident({
      name: '\u{1F6A8}'.repeat(100),
      body: '<&>\u{1F6A8}'.repeat(2000),
    });
    expect(code).toBe(200);
    const tooLong = { body: 'x'.repeat(10_001) };
    expect(await status.updateIncident(body.id, 'identified', tooLong)).toMatchObject({
      status: 422,
    });
    await admin.delete(`/incidents/${body.id}`);
  });
});

describe('unusual maintenance times', () => {
  it.each([
    ['0000-01-01T00:00:00Z', iso(now + hourMs)],
    ['0099-01-01T00:00:00Z', iso(now + hourMs)],
    [iso(now), '9999-12-31T23:59:59-23:59'],
    [iso(now), '9999-12-31T00:00:00Z'],
  ])('from %s to %s are refused, not stored', async (from, until) => {
    expect(await plan(from, until)).toMatchObject({ status: 422 });
    const { id } = (await plan(iso(now + minuteMs), iso(now + 2 * minuteMs))).body;
    const times = { scheduled_for: from, scheduled_until: until };
    expect(await admin.patch(`/maintenances/${id}`, times)).toMatchObject({ status: 422 });
    expect(await admin.delete(`/maintenances/${id}`)).toMatchObject({ status: 200 });
  });

  it('in the past make it begin at the time of the change, not earlier', async () => {
    const { id } = (await plan(iso(now + 150 * minuteMs), iso(now + 165 * minuteMs))).body;
    now += 2 * hourMs;
    const moved = now;
    const earlier = { scheduled_for: iso(now - 7_000_000) };
    expect(await admin.patch(`/maintenances/${id}`, earlier)).toMatchObject({ status: 200 });
    now += minuteMs;
    await app.services.status.recorder.tick();
    expect(status.today('redis')?.ms).toEqual({ under_maintenance: now - moved });
    await admin.delete(`/maintenances/${id}`);
  });
});

it('similar group headings have different ids', async () => {
  const names = { redis: 'Data stores', database: 'data-stores', jobs: 'Data Stores' };
  for (const [id, group] of Object.entries(names))
    expect(await admin.patch(`/components/${id}`, { group })).toMatchObject({ status: 200 });
  const id = 'group-data-stores';
  const component = { id, name: 'x', source: 'tcp', target: '127.0.0.1:1' };
  expect(await admin.post('/components', component)).toMatchObject({ status: 200 });
  const { components } = await status.summary();
  expect(new Set(components.map((each) => each.id)).size).toBe(components.length);
  expect(components.filter(({ group }) => group === true)).toHaveLength(3);
  await admin.delete(`/components/${id}`);
  for (const each of Object.keys(names)) await admin.patch(`/components/${each}`, { group: null });
});

it('a resolved incident is reopened by an update, and can be resolved again', async () => {
  const jobs = (worst: string) => ({ components: [{ id: 'jobs', status: worst }] });
  const began = now;
  const { id } = (await status.openIncident(jobs('partial_outage'))).body;
  now += minuteMs;
  await status.updateIncident(id, 'resolved');
  await status.updateIncident(id, 'postmortem');
  now += minuteMs;
  expect(await status.updateIncident(id, 'investigating', jobs('major_outage'))).toMatchObject({
    status: 200,
    body: { status: 'investigating', resolved_at: null, ...jobs('major_outage') },
  });
  expect(app.services.status.state()).toMatchObject({
    indicator: 'major',
    incidents: [{ id, resolvedAt: null }],
    history: [],
  });
  now += minuteMs;
  expect((await status.updateIncident(id, 'resolved')).body).toMatchObject({
    status: 'resolved',
    resolved_at: iso(now),
  });
  expect(await status.updateIncident(id, 'resolved')).toBeProblem(409, 'status.incident_over');
  expect(app.services.status.state().history[0]).toMatchObject({
    id,
    createdAt: began,
    resolvedAt: now,
  });
  expect(status.today('jobs')?.ms).toEqual({ partial_outage: minuteMs, major_outage: minuteMs });
});
