import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { configSchema, parseConfig } from '../../../src/config.ts';
import { listSettings } from '../../../src/app/settings.ts';
import { shownSettings } from '../../../src/surfaces/console/operations/settings.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { home, look, origin, personOf, submit } from './pages.ts';

const secrets = {
  ADMIN_API_KEY: 'k3y-of-the-admin-0123456789abcdef01',
  AUTH_SECRET: 's3cret-of-all-codes-0123456789abcdef',
  IDP_CLIENT_SECRET: 'idp-cl13nt-hush',
  PAYMENTS_WEBHOOK_SECRET: 'whsec_first-hush-0123,whsec_second-hush-0123',
  SMS_WEBHOOK_SECRET: 'whsec_sms-hush-0123456789abcdef0123',
  SMS_URL: 'https://sms.host.example/hook/sms-path-hush?key=sms-query-hush',
  SMTP_URL: 'smtps://smtp-user-hush:smtp-pass-hush@mail.host.example:465',
  MAIL_FROM: 'post@host.example',
};
const words = ['k3y-of', 's3cret-of', 'cl13nt', 'hush'];

let app: FreshApp;
let admin: Record<string, string>;
let viewer: Record<string, string>;
let isBroken = true;

beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_BINDING: 'none', BASE_URL: origin, ...secrets } });
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
});
afterAll(() => app.close());

const incident = {
  name: 'Slow <b>figures</b>',
  impact: '',
  status: 'investigating',
  body: 'We are "looking" & <script>alert(1)</script>',
  'component.analytics': 'degraded_performance',
  'component.redis': '',
};
const actions = async () =>
  (await app.services.audit.list({ limit: 50 })).data.map(({ action }) => action);

async function openIncident(
  values: Record<string, string> = incident,
): Promise<{ id: string; place: string }> {
  const { headers } = await submit(app, 'status/incidents', values, admin);
  const place = String(headers.location);
  return { place, id: /incidents\/([0-9a-f-]{36})/.exec(place)?.[1] ?? '' };
}

describe('the pages of operations', () => {
  it('show viewers no form that changes anything, and no target of a check', async () => {
    await submit(
      app,
      'status/components',
      {
        name: 'Inside',
        source: 'tcp',
        target: 'inside.host.example:1234',
        interval_s: '60',
        timeout_ms: '1000',
      },
      admin,
    );
    for (const path of ['status', 'status/components/inside']) {
      const { body } = await look(app, path, viewer);
      const forms = body.match(/<form [^>]*method="post" action="\/api[^"]*"/g) ?? [];
      expect(forms.filter((form) => !form.endsWith('/search"'))).toEqual([]);
      expect(body).not.toContain('inside.host.example');
    }
    expect((await look(app, 'status/components/inside', admin)).body).toContain(
      'inside.host.example:1234',
    );
    for (const path of ['jobs', 'settings', 'status/subscribers'])
      expect((await look(app, path, viewer)).statusCode).toBe(403);
  });
});

describe('an incident in the console', () => {
  it('is opened, updated, changed, resolved and reopened, each with an audit entry', async () => {
    const { id, place } = await openIncident();
    expect(place).toBe(`${home}status/incidents/${id}?done=opened`);
    const page = await look(app, place, admin);
    expect(page.body).toContain('Slow &lt;b&gt;figures&lt;/b&gt;');
    expect(page.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.body).not.toContain('<script>alert');
    expect(await app.services.status.incidents.get(id)).toMatchObject({
      impact: 'minor',
      affected: [{ id: 'analytics', status: 'degraded_performance' }],
    });

    const changed = await submit(
      app,
      `status/incidents/${id}/change`,
      { name: 'Slow figures', impact: 'major' },
      admin,
    );
    expect(changed.headers.location).toBe(`${home}status/incidents/${id}?done=changed&was=minor`);
    expect((await look(app, String(changed.headers.location), admin)).body).toContain(
      'Undo: set impact back to minor',
    );
    await submit(app, `status/incidents/${id}/change`, { impact: 'minor' }, admin);

    const resolved = await submit(
      app,
      `status/incidents/${id}/updates`,
      { status: 'resolved', body: 'All is well.' },
      admin,
    );
    expect({ status: resolved.statusCode, location: resolved.headers.location }).toEqual({
      status: 303,
      location: `${home}status/incidents/${id}?done=resolved`,
    });
    expect(await app.services.status.incidents.get(id)).toMatchObject({
      status: 'resolved',
      impact: 'minor',
      affected: [{ id: 'analytics' }],
    });
    expect((await look(app, String(resolved.headers.location), admin)).body).toContain(
      'Reopen incident',
    );
    await submit(
      app,
      `status/incidents/${id}/updates`,
      { status: 'postmortem', body: 'A query was slow.' },
      admin,
    );
    expect(await actions()).toEqual(
      expect.arrayContaining([
        'status.incident_created',
        'status.incident_changed',
        'status.incident_resolved',
        'status.incident_updated',
      ]),
    );
  });

  it('is deleted only after the word was typed', async () => {
    const { id } = await openIncident();
    const refused = await submit(app, `status/incidents/${id}/delete`, { confirm: 'yes' }, admin);
    expect({
      status: refused.statusCode,
      includesTypeDeleteTo: refused.body.includes('Type delete to confirm'),
    }).toEqual({ status: 422, includesTypeDeleteTo: true });
    expect((await app.services.status.incidents.get(id)).id).toBe(id);
    expect(
      (await submit(app, `status/incidents/${id}/delete`, { confirm: 'delete' }, admin)).headers
        .location,
    ).toBe(`${home}status?done=incident_deleted`);
    expect((await look(app, `status/incidents/${id}`, admin)).statusCode).toBe(404);
  });

  it('is not opened by an invalid form, whose errors are explained', async () => {
    const before = (await app.services.status.incidents.list({ limit: 100 })).data.length;
    const wrong = await submit(
      app,
      'status/incidents',
      { ...incident, name: '', 'component.nowhere': 'major_outage' },
      admin,
    );
    expect({ status: wrong.statusCode, body: wrong.body }).toEqual({
      status: 422,
      body: expect.stringContaining('Nothing was changed. Name:') as string,
    });
    const unknown = await submit(
      app,
      'status/incidents',
      { ...incident, 'component.nowhere': 'major_outage' },
      admin,
    );
    expect({ status: unknown.statusCode, body: unknown.body }).toEqual({
      status: 422,
      body: expect.stringContaining('is not the id of a component') as string,
    });
    const { cookie = '' } = admin;
    const program = await submit(app, 'status/incidents', { ...incident, name: '' }, { cookie });
    expect({ status: program.statusCode, body: program.json<unknown>() }).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'console.form_invalid', loc: ['body'] }] },
    });
    expect((await app.services.status.incidents.list({ limit: 100 })).data).toHaveLength(before);
  });
});

describe('maintenance and checks in the console', () => {
  it('are planned in UTC, changed, started, ended and deleted', async () => {
    const planned = await submit(
      app,
      'status/maintenances',
      {
        name: 'Upgrade',
        body: 'Sign-in rests.',
        'component[]': ['database', 'redis'],
        scheduled_for: '2098-05-10T02:00',
        scheduled_until: '2098-05-10T04:30',
      },
      admin,
    );
    const id = /incidents\/([0-9a-f-]{36})/.exec(String(planned.headers.location))?.[1] ?? '';
    expect(await app.services.status.maintenances.get(id)).toMatchObject({
      scheduledFor: Date.UTC(2098, 4, 10, 2),
      scheduledUntil: Date.UTC(2098, 4, 10, 4, 30),
      components: ['database', 'redis'],
    });
    await submit(
      app,
      `status/maintenances/${id}/change`,
      {
        name: 'Short upgrade',
        'component[]': 'redis',
        scheduled_for: '2098-05-10T02:00',
        scheduled_until: '2098-05-10T03:00',
      },
      admin,
    );
    expect(await app.services.status.maintenances.get(id)).toMatchObject({
      name: 'Short upgrade',
      components: ['redis'],
      scheduledUntil: Date.UTC(2098, 4, 10, 3),
    });
    for (const status of ['in_progress', 'completed'])
      expect(
        (await submit(app, `status/maintenances/${id}/updates`, { status, body: 'News.' }, admin))
          .statusCode,
      ).toBe(303);
    expect(await app.services.status.maintenances.get(id)).toMatchObject({
      status: 'completed',
    });
    expect((await submit(app, `status/maintenances/${id}/delete`, {}, admin)).statusCode).toBe(422);
    const past = await submit(
      app,
      'status/maintenances',
      {
        name: 'Upgrade',
        body: 'x',
        scheduled_for: '2020-05-10T02:00',
        scheduled_until: '2020-05-10T04:30',
      },
      admin,
    );
    expect({ status: past.statusCode, body: past.body }).toEqual({
      status: 422,
      body: expect.stringContaining('must be in the future') as string,
    });
  });

  it('are added and changed, and archived only after the id was typed', async () => {
    const values = {
      name: 'Web shop',
      source: 'http',
      target: 'https://shop.host.example/',
      group: 'Sites',
      description: '',
      interval_s: '30',
      timeout_ms: '5000',
      expected_status: '200, 204',
    };
    expect((await submit(app, 'status/components', values, admin)).headers.location).toBe(
      `${home}status/components/web-shop?done=component_added`,
    );
    const record = () => app.services.status.records().find(({ id }) => id === 'web-shop');
    expect(record()).toMatchObject({
      settings: { interval_s: 30, timeout_ms: 5000, expected_status: [200, 204] },
      group: 'Sites',
      description: null,
      onlyShowIfDegraded: false,
    });
    await submit(
      app,
      'status/components/web-shop',
      {
        ...values,
        name: 'Shop',
        position: '3',
        expected_status: '',
        only_show_if_degraded: 'true',
      },
      admin,
    );
    expect(record()).toMatchObject({
      name: 'Shop',
      position: 3,
      settings: { expected_status: null },
      onlyShowIfDegraded: true,
    });
    expect(
      (
        await submit(
          app,
          'status/components',
          { ...values, name: 'Clouds', target: 'http://169.254.169.254/' },
          admin,
        )
      ).statusCode,
    ).toBe(422);
    expect(
      (await submit(app, 'status/components/web-shop/archive', { confirm: 'Shop' }, admin))
        .statusCode,
    ).toBe(422);
    expect(record()).toBeDefined();
    expect(
      (await submit(app, 'status/components/web-shop/archive', { confirm: 'web-shop' }, admin))
        .headers.location,
    ).toBe(`${home}status?done=component_archived`);
    expect(record()).toBeUndefined();
  });
});

describe('jobs in the console', () => {
  const failing = async () =>
    (await app.services.jobs.list({ state: 'failed', name: 'test-flaky', limit: 50 })).data
      .map(({ id }) => id)
      .sort();

  it('are retried after a failure, and removed only after their number was typed', async () => {
    const flaky = app.services.queues.defineJob({
      name: 'test-flaky',
      schema: z.object({ at: z.int() }),
      options: { attempts: 1 },
      process: async () => {
        if (isBroken) throw new Error(`<i>no</i> ${'x'.repeat(80)}`);
      },
    });
    await app.services.queues.start();
    await Promise.all([1, 2, 3].map((at) => flaky.add({ at })));
    await vi.waitFor(async () => expect(await failing()).toHaveLength(3), { timeout: 5000 });
    const [first = '', second = '', third = ''] = await failing();
    const list = await look(app, 'jobs?name=test-flaky', admin);
    expect(list.body).toContain('&lt;i&gt;no&lt;/i&gt;');
    expect(list.body).not.toContain('<i>no');

    expect(
      (await submit(app, 'jobs/retry', { state: 'failed', name: 'test-flaky' }, admin)).headers
        .location,
    ).toBe(`${home}jobs?state=failed&name=test-flaky&done=none`);
    isBroken = false;
    const retried = await submit(
      app,
      'jobs/retry',
      { state: 'failed', name: 'test-flaky', 'job[]': [first, 'test-flaky:404'] },
      admin,
    );
    expect(retried.headers.location).toBe(
      `${home}jobs?state=failed&name=test-flaky&done=retried&of=1&left=1`,
    );
    expect((await look(app, String(retried.headers.location), admin)).body).toContain(
      '1 job queued for retry. Skipped 1 job whose state had changed.',
    );
    await vi.waitFor(async () => expect(await failing()).toEqual([second, third].sort()), {
      timeout: 5000,
    });

    const asked = await submit(
      app,
      'jobs/cancel',
      { state: 'failed', name: 'test-flaky', 'job[]': [second, third] },
      admin,
    );
    expect({ status: asked.statusCode, body: asked.body }).toEqual({
      status: 200,
      body: expect.stringContaining('Type 2 to confirm') as string,
    });
    const wrong = await submit(
      app,
      'jobs/cancel',
      { state: 'failed', name: 'test-flaky', 'job[]': [second, third], confirm: '3' },
      admin,
    );
    expect({ status: wrong.statusCode, body: wrong.body }).toEqual({
      status: 422,
      body: expect.stringContaining('The number doesn’t match.') as string,
    });
    expect(await failing()).toHaveLength(2);
    const cancelled = await submit(
      app,
      'jobs/cancel',
      { state: 'failed', name: 'test-flaky', 'job[]': [second, third], confirm: '2' },
      admin,
    );
    expect(cancelled.headers.location).toBe(
      `${home}jobs?state=failed&name=test-flaky&done=cancelled&of=2&left=0`,
    );
    expect(await failing()).toEqual([]);
    expect(await actions()).toEqual(expect.arrayContaining(['jobs.retried', 'jobs.cancelled']));
  });

  it('are not listed for an invalid state or cursor, or an unknown kind', async () => {
    for (const query of ['state=lost', 'cursor=nonsense'])
      expect({ query, status: (await look(app, `jobs?${query}`, admin)).statusCode }).toEqual({
        query,
        status: 422,
      });
    expect((await look(app, 'jobs?name=nothing', admin)).statusCode).toBe(404);
  });
});

describe('realtime in the console', () => {
  it('shows users the channels that they may subscribe to', async () => {
    const [forAdmin, forViewer] = [
      (await look(app, 'realtime', admin)).body,
      (await look(app, 'realtime', viewer)).body,
    ];
    for (const name of ['status', 'test', 'devices', 'jobs'])
      expect(forAdmin).toContain(`<code>${name}</code>`);
    for (const name of ['devices', 'jobs']) expect(forViewer).not.toContain(`<code>${name}</code>`);
    expect(forViewer).toContain('<code>analytics:{site_id}</code>');
    expect(forViewer).toContain('The inspector needs JavaScript.');
  });

  it('publishes JSON to the test channel, and nothing else', async () => {
    const heard: string[] = [];
    const tell = vi
      .spyOn(app.services.bus, 'publish')
      .mockImplementation(async (channel, message) => {
        heard.push(`${channel} ${JSON.stringify(message)}`);
      });
    expect(
      (await submit(app, 'realtime/publish', { data: '{"a":1}' }, viewer)).headers.location,
    ).toBe(`${home}realtime?done=published`);
    expect((await submit(app, 'realtime/publish', { data: '{a' }, viewer)).statusCode).toBe(422);
    expect(
      (await submit(app, 'realtime/publish', { data: `"${'x'.repeat(5000)}"` }, viewer)).statusCode,
    ).toBe(422);
    tell.mockRestore();
    expect(heard).toEqual([
      'test {"type":"test.message","data":{"method":"POST","received":{"a":1}}}',
    ]);
  });
});

describe('settings in the console', () => {
  it('show every setting, and no secret', async () => {
    const { body } = await look(app, 'settings', admin);
    for (const name of Object.keys(configSchema.shape))
      expect(body).toContain(`<code>${name}</code>`);
    for (const word of words) expect(body).not.toContain(word);
    for (const name of Object.keys(secrets).filter((each) => /SECRET|_KEY$/.test(each)))
      expect(body).toContain(`# ${name}=  (set; not shown)`);
    expect(body).toContain('smtps://…@mail.host.example:465');
    expect(body).toContain('https://sms.host.example/…?…');
    expect(body).toContain('MAIL_FROM=post@host.example');
  });

  it.each([
    [
      'DATABASE_URL',
      'postgres://user:hush@db.host.example:5432/name?password=hush',
      'postgres://…@db.host.example:5432/name?…',
    ],
    ['DATABASE_URL', 'postgres://us er:hush/ #@host:99999999/name', undefined],
    [
      'REDIS_URL',
      'rediss://:hush@redis.host.example:6380/2',
      'rediss://…@redis.host.example:6380/2',
    ],
    ['BASE_URL', 'https://hush:hush@platform.host.example', 'https://…@platform.host.example'],
    [
      'IDP_ISSUER',
      'https://hush:hush@login.host.example/realm',
      'https://…@login.host.example/realm',
    ],
    ['TWILIO_AUTH_TOKEN', 'hush', undefined],
  ])('%s=%s is shown as %s', (name, value, shown) => {
    const others = name.startsWith('TWILIO')
      ? { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_FROM: '+15551234567' }
      : {};
    const settings = shownSettings(listSettings(parseConfig({ [name]: value, ...others })));
    const setting = settings.find((each) => each.name === name);
    expect({ value: setting?.value, isWhole: setting?.isWhole, isSet: setting?.isSet }).toEqual({
      value: shown,
      isWhole: false,
      isSet: true,
    });
    expect(JSON.stringify(settings)).not.toContain('hush');
  });
});
