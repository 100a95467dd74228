import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { configSchema, parseConfig } from '../../../src/config.ts';
import { listSettings } from '../../../src/app/settings.ts';
import { liveVariables } from '../../../src/platform/settings/live-settings.ts';
import { shownSettings } from '../../../src/surfaces/console/operations/settings.ts';
import { freshApp } from '../../support/app.ts';
import { redirectTo, saying } from '../../support/responses.ts';
import { home, origin, personOf } from './pages.ts';

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

const publicFields = ['APP_NAME', 'CONTACT_EMAIL', 'LEGAL_NAME', 'LEGAL_ADDRESS'];

let isBroken = true;

const app = await freshApp({ env: { DEVICE_BINDING: 'none', BASE_URL: origin, ...secrets } });
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

const incident = {
  name: 'Slow <b>figures</b>',
  impact: '',
  status: 'investigating',
  body: 'We are "looking" & <script>alert(1)</script>',
  'component.analytics': 'degraded_performance',
  'component.redis': '',
};
const check = { source: 'http', 'settings.interval_s': '60', 'settings.timeout_ms': '1000' };
const maintenance = {
  name: 'Upgrade',
  body: 'Sign-in rests.',
  'components[]': ['database', 'redis'],
  scheduled_for: '2098-05-10T02:00',
  scheduled_until: '2098-05-10T04:30',
};
const actions = async () =>
  (await app.services.audit.list({ limit: 50 })).data.map(({ action }) => action);
const showIncident = (id: string) => app.services.status.incidents.get(id);

const idIn = (location: unknown): string =>
  /incidents\/([0-9a-f-]{36})/.exec(String(location))?.[1] ?? '';
const openIncident = async () =>
  idIn((await admin.form('status/incidents', incident)).headers.location);

describe('the pages of operations', () => {
  it('show viewers no form that changes anything, and no target of a check', async () => {
    const target = 'inside.host.example:1234';
    await admin.form('status/components', { ...check, name: 'Inside', source: 'tcp', target });
    for (const path of ['status', 'status/components/inside']) {
      const { text } = await viewer.page(path);
      const forms = text.match(/<form [^>]*method="post" action="\/api[^"]*"/g) ?? [];
      expect(forms.filter((form) => !form.endsWith('/search"'))).toEqual([]);
      expect(text).not.toContain('inside.host.example');
    }
    expect((await admin.page('status/components/inside')).text).toContain(target);
    for (const path of ['jobs', 'settings', 'status/subscribers'])
      expect((await viewer.page(path)).status).toBe(403);
  });
});

describe('an incident in the console', () => {
  it('is opened, updated, changed, resolved and reopened, each with an audit entry', async () => {
    const opened = await admin.form('status/incidents', incident);
    const id = idIn(opened.headers.location);
    const path = `status/incidents/${id}`;
    expect(opened).toMatchObject(redirectTo(`${home}${path}?done=opened`));
    const { text } = await admin.page(`${path}?done=opened`);
    expect(text).toContain('Slow &lt;b&gt;figures&lt;/b&gt;');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>alert');
    expect(await showIncident(id)).toMatchObject({
      impact: 'minor',
      affected: [{ id: 'analytics', status: 'degraded_performance' }],
    });

    const change = { name: 'Slow figures', impact: 'major' };
    expect(await admin.form(`${path}/change`, change)).toMatchObject(
      redirectTo(`${home}${path}?done=changed&was=minor`),
    );
    expect(await admin.page(`${path}?done=changed&was=minor`)).toMatchObject(
      saying(200, 'Undo: set impact back to minor'),
    );
    await admin.form(`${path}/change`, { impact: 'minor' });

    const resolve = { status: 'resolved', body: 'All is well.' };
    expect(await admin.form(`${path}/updates`, resolve)).toMatchObject(
      redirectTo(`${home}${path}?done=resolved`),
    );
    expect(await showIncident(id)).toMatchObject({
      status: 'resolved',
      impact: 'minor',
      affected: [{ id: 'analytics' }],
    });
    expect(await admin.page(`${path}?done=resolved`)).toMatchObject(saying(200, 'Reopen incident'));
    await admin.form(`${path}/updates`, { status: 'postmortem', body: 'A query was slow.' });
    expect(await actions()).toEqual(
      expect.arrayContaining([
        'status.incident_created',
        'status.incident_changed',
        'status.incident_resolved',
        'status.incident_updated',
      ]),
    );
  });

  it('is resolved after a summary that says how many people are emailed', async () => {
    const { subscribers } = app.services;
    const bySystem = { actor: { kind: 'system' }, address: '', requestId: '' } as const;
    const subscriber = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
    const at = new Date();
    const kept = { created_at: at, confirmed_at: at, confirm_hash: null, last_asked_at: at };
    await subscribers.restore({ id: subscriber, email: 'reader@host.example', ...kept }, bySystem);
    const id = await openIncident();
    const path = `status/incidents/${id}`;
    const { text } = await admin.page(path);
    expect(text).toContain(`href="${home}${path}/next"`);
    expect(text).not.toContain('This incident is resolved.');
    const summary = await admin.page(`${path}/next`);
    expect(summary).toMatchObject(saying(200, '1 person gets this by email'));
    expect(summary.text).toContain('This incident is resolved.');
    expect((await showIncident(id)).status).toBe('investigating');
    expect((await viewer.page(`${path}/next`)).status).toBe(403);

    await admin.form(`${path}/updates`, { status: 'resolved', body: 'Done.' });
    expect((await admin.page(`${path}/next`)).status).toBe(404);
    await subscribers.delete(subscriber, bySystem);
    await app.services.status.incidents.delete(id, bySystem);
  });

  it('is listed with what it affects and how long it is open, and without a pager', async () => {
    const id = await openIncident();
    const { text } = await admin.page('status/incidents');
    expect(text).toContain('Analytics');
    expect(text).toContain('so far');
    expect(text).toContain('Open incident');
    expect(text).not.toContain('Next page');
    expect((await viewer.page('status/incidents')).text).not.toContain('Open incident');
    await admin.form(`status/incidents/${id}/delete`, { confirm: 'delete' });
  });

  it('is deleted only after the word was typed', async () => {
    const id = await openIncident();
    const path = `status/incidents/${id}`;
    expect(await admin.form(`${path}/delete`, { confirm: 'yes' })).toMatchObject(
      saying(422, 'Type delete to confirm'),
    );
    expect((await showIncident(id)).id).toBe(id);
    expect(await admin.form(`${path}/delete`, { confirm: 'delete' })).toMatchObject(
      redirectTo(`${home}status?done=incident_deleted`),
    );
    expect((await admin.page(path)).status).toBe(404);
  });

  it('is not opened by an invalid form, whose errors are explained', async () => {
    const count = async () =>
      (await app.services.status.incidents.list({ limit: 100 })).data.length;
    const before = await count();
    const unknown = { ...incident, 'component.nowhere': 'major_outage' };
    expect(await admin.form('status/incidents', { ...unknown, name: '' })).toMatchObject(
      saying(422, 'Nothing was changed. Name:'),
    );
    expect(await admin.form('status/incidents', unknown)).toMatchObject(
      saying(422, 'Is not the id of a component'),
    );
    const asProgram = { headers: { accept: 'application/json', 'sec-fetch-mode': 'cors' } };
    const program = await admin.form('status/incidents', { ...incident, name: '' }, asProgram);
    expect(program).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'console.form_invalid', loc: ['body'] }] },
    });
    expect(await count()).toBe(before);
  });
});

describe('maintenance and checks in the console', () => {
  it('are planned in UTC, changed, started, ended and deleted', async () => {
    const planned = await admin.form('status/maintenances', maintenance);
    const id = idIn(planned.headers.location);
    const path = `status/maintenances/${id}`;
    const show = () => app.services.status.maintenances.get(id);
    expect(await show()).toMatchObject({
      scheduledFor: Date.UTC(2098, 4, 10, 2),
      scheduledUntil: Date.UTC(2098, 4, 10, 4, 30),
      components: ['database', 'redis'],
    });
    await admin.form(`${path}/change`, {
      name: 'Short upgrade',
      'components[]': 'redis',
      scheduled_for: '2098-05-10T02:00',
      scheduled_until: '2098-05-10T03:00',
    });
    expect(await show()).toMatchObject({
      name: 'Short upgrade',
      components: ['redis'],
      scheduledUntil: Date.UTC(2098, 4, 10, 3),
    });
    const list = await admin.page('status/incidents?kind=maintenance');
    expect(list.text).toContain('Schedule maintenance');
    for (const wrong of ['Not yet', 'Started', 'Maintenance impact'])
      expect(list.text).not.toContain(wrong);
    for (const status of ['in_progress', 'completed'])
      expect((await admin.form(`${path}/updates`, { status, body: 'News.' })).status).toBe(303);
    expect(await show()).toMatchObject({ status: 'completed' });
    expect((await admin.form(`${path}/delete`)).status).toBe(422);
    const past = { scheduled_for: '2020-05-10T02:00', scheduled_until: '2020-05-10T04:30' };
    expect(await admin.form('status/maintenances', { ...maintenance, ...past })).toMatchObject(
      saying(422, 'Must be in the future'),
    );
  });

  it('are tested once before they are added, and nothing is stored', async () => {
    const stored = () => app.services.status.records().length;
    const before = stored();
    const values = { ...check, name: 'Nobody', target: 'http://127.0.0.1:9/', intent: 'test' };
    const { status, text } = await admin.form('status/components', values);
    expect(status).toBe(200);
    expect(text).toContain('no accepted answer');
    expect(text).toContain('value="http://127.0.0.1:9/"');
    const guarded = await admin.form('status/components', {
      ...values,
      target: 'http://169.254.169.254/',
    });
    expect(guarded).toMatchObject(saying(422, 'link-local'));
    expect(guarded.text).not.toContain('no accepted answer');
    expect((await viewer.form('status/components', values)).status).toBe(403);
    expect(stored()).toBe(before);
  });

  it('are added and changed, and archived only after the id was typed', async () => {
    const values = {
      ...check,
      name: 'Web shop',
      target: 'https://shop.host.example/',
      group: 'Sites',
      description: '',
      'settings.expected_status': '200, 204',
    };
    expect(await admin.form('status/components', values)).toMatchObject(
      redirectTo(`${home}status/components/web-shop?done=component_added`),
    );
    const record = () => app.services.status.records().find(({ id }) => id === 'web-shop');
    expect(record()).toMatchObject({
      settings: { interval_s: 60, timeout_ms: 1000, expected_status: [200, 204] },
      group: 'Sites',
      description: null,
      onlyShowIfDegraded: false,
    });
    await admin.form('status/components/web-shop', {
      ...values,
      name: 'Shop',
      position: '3',
      'settings.expected_status': '',
      only_show_if_degraded: 'true',
    });
    expect(record()).toMatchObject({
      name: 'Shop',
      position: 3,
      settings: { expected_status: null },
      onlyShowIfDegraded: true,
    });
    const metadata = { ...values, name: 'Clouds', target: 'http://169.254.169.254/' };
    expect((await admin.form('status/components', metadata)).status).toBe(422);
    const archive = (confirm: string) =>
      admin.form('status/components/web-shop/archive', { confirm });
    expect((await archive('Shop')).status).toBe(422);
    expect(record()).toBeDefined();
    expect(await archive('web-shop')).toMatchObject(
      redirectTo(`${home}status?done=component_archived`),
    );
    expect(record()).toBeUndefined();
  });
});

describe('the forms of the status page', () => {
  it('say what happens next, and who is emailed', async () => {
    const open = (await admin.page('status/incidents/new')).text;
    expect(open).toContain('Nobody has subscribed, so nobody is emailed.');
    const plan = (await admin.page('status/maintenances/new')).text;
    expect(plan).toContain('It starts and ends by itself at these times.');
    expect((await admin.page('status/new-check')).text).toContain('two failed checks in a row');
  });

  it('of a check to archive says what goes and what stays', async () => {
    await admin.form('status/components', {
      ...check,
      name: 'Docks',
      source: 'tcp',
      target: 'a.example:1',
    });
    const { text } = await admin.page('status/components/docks/archive');
    for (const part of ['Docks', 'a.example:1', 'Its history is kept.', 'Type docks to confirm'])
      expect(text).toContain(part);
    expect(await admin.form('status/components/docks/archive', { confirm: 'dock' })).toMatchObject({
      status: 422,
    });
    expect((await admin.page('status/components/docks')).status).toBe(200);
  });
});

describe('jobs in the console', () => {
  const kind = { state: 'failed', name: 'test-flaky' } as const;
  const failing = async () =>
    (await app.services.jobs.list({ ...kind, limit: 50 })).data.map(({ id }) => id).sort();
  const listAfter = (done: string) =>
    redirectTo(`${home}jobs?state=failed&name=test-flaky&${done}`);

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
    const kinds = (await admin.page('jobs')).text;
    for (const part of ['3 jobs have failed.', 'Next run', 'Every minute', '>3 failed</a>'])
      expect(kinds).toContain(part);
    expect(kinds).not.toContain('All jobs run on time');
    expect(kinds.indexOf('>Test flaky')).toBeLessThan(kinds.indexOf('>Account upkeep'));
    const [first = '', ...others] = await failing();
    const list = (await admin.page('jobs?name=test-flaky')).text;
    expect(list).toContain('&lt;i&gt;no&lt;/i&gt;');
    expect(list).not.toContain('<i>no');

    expect(await admin.form('jobs/retry', kind)).toMatchObject(listAfter('done=none'));
    isBroken = false;
    const chosen = { ...kind, 'job[]': [first, 'test-flaky:404'] };
    const retried = await admin.form('jobs/retry', chosen);
    expect(retried).toMatchObject(listAfter('done=retried&of=1&left=1'));
    expect(await admin.page(String(retried.headers.location))).toMatchObject(
      saying(200, '1 job queued for retry. Skipped 1 job whose state had changed.'),
    );
    await vi.waitFor(async () => expect(await failing()).toEqual(others), { timeout: 5000 });

    const cancel = (confirm: Record<string, string>) =>
      admin.form('jobs/cancel', { ...kind, 'job[]': others, ...confirm });
    expect(await cancel({})).toMatchObject(saying(200, 'Type 2 to confirm'));
    expect(await cancel({ confirm: '3' })).toMatchObject(saying(422, 'The number doesn’t match.'));
    expect(await failing()).toHaveLength(2);
    expect(await cancel({ confirm: '2' })).toMatchObject(listAfter('done=cancelled&of=2&left=0'));
    expect(await failing()).toEqual([]);
    expect(await actions()).toEqual(expect.arrayContaining(['jobs.retried', 'jobs.cancelled']));
  });

  it.each([
    ['an invalid state', 'state=lost', 422],
    ['an invalid cursor', 'cursor=nonsense', 422],
    ['an unknown kind', 'name=nothing', 404],
  ])('are not listed for %s', async (_what, query, status) => {
    expect((await admin.page(`jobs?${query}`)).status).toBe(status);
  });
});

describe('realtime in the console', () => {
  it('shows users the channels that they may subscribe to', async () => {
    const forAdmin = (await admin.page('realtime')).text;
    const forViewer = (await viewer.page('realtime')).text;
    for (const name of ['status', 'test', 'devices', 'jobs'])
      expect(forAdmin).toContain(`<code>${name}</code>`);
    for (const name of ['devices', 'jobs']) expect(forViewer).not.toContain(`<code>${name}</code>`);
    expect(forViewer).toContain('<code>analytics:{site_id}</code>');
    expect(forViewer).toContain('The inspector needs JavaScript.');
  });

  it('publishes JSON to the test channel, and nothing else', async () => {
    const publish = vi.spyOn(app.services.bus, 'publish').mockResolvedValue();
    expect(await viewer.form('realtime/publish', { data: '{"a":1}' })).toMatchObject(
      redirectTo(`${home}realtime?done=published`),
    );
    for (const data of ['{a', `"${'x'.repeat(5000)}"`])
      expect((await viewer.form('realtime/publish', { data })).status).toBe(422);
    const message = { type: 'test.message', data: { method: 'POST', received: { a: 1 } } };
    expect(publish.mock.calls).toEqual([['test', message]]);
    publish.mockRestore();
  });
});

describe('settings in the console', () => {
  it('show every setting, and no secret', async () => {
    const pages = ['general', 'sign-in', 'messages', 'analytics', 'devices', 'system'];
    const texts = await Promise.all(
      pages.map(async (path) => (await admin.page(`settings/${path}`)).text),
    );
    const text = texts.join('\n');
    // A form of the page says itself what holds for these.
    const inForms = [...Object.values(liveVariables), 'SIGN_UP_DOMAINS', ...publicFields];
    for (const name of Object.keys(configSchema.shape).filter((each) => !inForms.includes(each)))
      expect(text).toContain(`>${name}<`);
    for (const name of publicFields.slice(1)) expect(text).toContain(`id="${name.toLowerCase()}"`);
    for (const word of words) expect(text).not.toContain(word);
    for (const name of Object.keys(secrets).filter((each) => /SECRET|_KEY$/.test(each)))
      expect(text).toContain(`# ${name}=  (set; not shown)`);
    expect(text).toContain('smtps://…@mail.host.example:465');
    expect(text).toContain('https://sms.host.example/…?…');
    expect(text).toContain('MAIL_FROM=post@host.example');
  });

  it.each([
    [
      'DATABASE_URL',
      'postgres://u:hush@db.example:5/n?password=hush',
      'postgres://…@db.example:5/n?…',
    ],
    ['DATABASE_URL', 'postgres://us er:hush/ #@host:99999999/name', undefined],
    ['REDIS_URL', 'rediss://:hush@redis.example:6380/2', 'rediss://…@redis.example:6380/2'],
    ['BASE_URL', 'https://hush:hush@platform.host.example', 'https://…@platform.host.example'],
    ['IDP_ISSUER', 'https://hush:hush@login.example/realm', 'https://…@login.example/realm'],
    ['TWILIO_AUTH_TOKEN', 'hush', undefined],
  ])('%s=%s is shown as %s', (name, value, shown) => {
    const others = name.startsWith('TWILIO')
      ? { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_FROM: '+15551234567' }
      : {};
    const settings = shownSettings(listSettings(parseConfig({ [name]: value, ...others })));
    const setting = settings.find((each) => each.name === name);
    expect(setting).toMatchObject({ value: shown, isWhole: false, isSet: true });
    expect(JSON.stringify(settings)).not.toContain('hush');
  });
});
