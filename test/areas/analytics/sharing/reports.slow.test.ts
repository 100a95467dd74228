import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  formatChange,
  formatPercent as percent,
  formatPoints,
} from '../../../../src/areas/analytics/figures/format.ts';
import { createReportStore } from '../../../../src/areas/analytics/sharing/reports/report-store.ts';
import { createUnsubscribeTokens } from '../../../../src/areas/analytics/sharing/reports/tokens.ts';
import { createReports } from '../../../../src/areas/analytics/sharing/reports/reports.ts';
import type { OutboxMessage } from '../../../../src/areas/comms/outbox.ts';
import { createMessages } from '../../../../src/areas/comms/service.ts';
import { createDeliveryStore } from '../../../../src/areas/comms/store.ts';
import { createQueues } from '../../../../src/platform/queues/queues.ts';
import { asAdmin } from '../../../support/app.ts';
import { silent } from '../../../platform/database/engines.ts';
import { batch, type IngestClient, newSite, openIngest } from '../http/ingest-client.ts';

let client: IngestClient;
let at = Date.parse('2026-10-20T10:00:00Z');
const clock = { now: () => at };
const setTime = (iso: string) => {
  at = Date.parse(iso);
};
const site = newSite();
const quiet = newSite();

beforeAll(async () => {
  client = await openIngest({ clock, env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme' } });
  await client.app.services.queues.start();
  const event = (time: string, user: string, url: string, more: object = {}) => ({
    event: 'pageview',
    url,
    site_id: site,
    user_id: user,
    timestamp: time,
    ...more,
  });
  setTime('2026-10-26T02:00:00Z');
  await client.store(
    batch,
    {
      events: [
        // In Berlin: Sunday 23:30 and Monday 00:30 (summer time), then Sunday 23:30 and Monday
        // 00:30 a week later (standard time).
        event('2026-10-18T21:30:00Z', 'eve', '/old'),
        event('2026-10-18T22:30:00Z', 'ann', '/', { referrer: 'https://www.google.com/' }),
        event('2026-10-25T22:30:00Z', 'ben', '/prices?x=1'),
        event('2026-10-25T22:31:00Z', 'ben', '/prices', { event: 'buy \u202enow' }),
        event('2026-10-25T23:30:00Z', 'zoe', '/later'),
        { ...event('2026-10-20T00:00:00Z', 'ann', '/'), site_id: quiet },
      ],
    },
    asAdmin,
  );
  await client.app.applied();
  setTime('2026-10-20T10:00:00Z');
});
afterAll(() => client.close());

let readers = 0;
const reportsOf = (key = site) => `/analytics/sites/${key}/reports`;
const mails = (to: string) => client.app.services.outbox.list(to);
const run = () => client.app.services.reports.sendDueReports();

async function createReport(body: object = {}, key = site): Promise<{ id: string; email: string }> {
  const answer = await client.ask('POST', reportsOf(key), asAdmin, {
    email: `Reader-${(readers += 1)}@example.com`,
    frequency: 'weekly',
    timezone: 'Europe/Berlin',
    ...body,
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return { id: String(answer.body.id), email: String(answer.body.email) };
}

/** Waits until every queued message has been sent. */
async function waitUntilSent(): Promise<void> {
  await vi.waitFor(
    async () => {
      const kinds = await client.app.services.queues.kinds();
      expect(
        kinds
          .filter(({ name }) => name === 'comms-delivery')
          .map(({ active, waiting, delayed }) => [active, waiting, delayed]),
      ).toEqual([[0, 0, 0]]);
    },
    { timeout: 10_000, interval: 20 },
  );
}

async function mailsAfterRun(to: string): Promise<OutboxMessage[]> {
  await run();
  await waitUntilSent();
  return mails(to);
}

const tokenIn = (mail: OutboxMessage | undefined): string =>
  /unsubscribe\?token=(\S+)/.exec(mail?.unsubscribe ?? '')?.[1] ?? '(missing)';
const unsubscribe = (token: string, headers: Record<string, string> = {}) =>
  client.app.http.inject({
    method: 'POST',
    url: `/analytics/reports/unsubscribe?token=${token}`,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('a weekly report', () => {
  it('is sent once, from Monday 08:00 in its time zone, about the previous week', async () => {
    setTime('2026-10-20T10:00:00Z');
    const { id, email } = await createReport();
    expect(email).toMatch(/^reader-/);
    for (const early of ['2026-10-20T11:00:00Z', '2026-10-26T06:59:59Z']) {
      setTime(early);
      expect({ early, mailsAfterRun: await mailsAfterRun(email) }).toEqual({
        early,
        mailsAfterRun: [],
      });
    }
    setTime('2026-10-26T07:00:00Z');
    const [mail, ...others] = await mailsAfterRun(email);
    expect({ subject: mail?.subject, others, includes: mail?.html?.includes('<script') }).toEqual({
      subject: `Weekly report for ${site}: 2 visitors, up ${percent(100)}`,
      others: [],
      includes: false,
    });
    expect(mail?.text).toBe(`2 visitors, up ${percent(100)}

Weekly report for ${site}, Oct 19 – 25, 2026 (Europe/Berlin), compared with the week before.

Visitors: 2 (${formatChange(100)})
Visits: 2 (${formatChange(100)})
Page views: 2 (${formatChange(100)})
Bounce rate: ${percent(50)} (${formatPoints(-50)})
Visit duration: 30s
Views per visit: 1 (${formatChange(0)})

Visitors by day
Mon 19: 1
Tue 20: 0
Wed 21: 0
Thu 22: 0
Fri 23: 0
Sat 24: 0
Sun 25: 1

Top pages
/: 1 visitor, 1 view
/prices: 1 visitor, 1 view

Top sources
Direct or unknown: 1 visitor
Google: 1 visitor

Top countries
Unknown: 2 visitors

Top events
buy now: 1 visitor, 1 event

You’re receiving this email because someone at Acme added your address to the reports for ${site}.

Unsubscribe:
https://svc.example/analytics/reports/unsubscribe?token=${tokenIn(mail)}
`);
    expect(mail?.unsubscribe).toBe(
      `https://svc.example/analytics/reports/unsubscribe?token=${tokenIn(mail)}`,
    );
    setTime('2026-11-02T06:59:59Z');
    expect(await mailsAfterRun(email)).toHaveLength(1);
    const { body } = await client.ask('GET', reportsOf(), asAdmin);
    expect((body.data as { id: string }[]).find((each) => each.id === id)).toMatchObject({
      last_sent_for: '2026-10-19',
      unsubscribed_at: null,
    });
    expect(client.app.log()).not.toContain(email);
  });

  it('never covers a period before its creation, and only the latest one', async () => {
    setTime('2026-10-26T09:00:00Z');
    const { email } = await createReport();
    expect(await mailsAfterRun(email)).toEqual([]);
    setTime('2026-11-19T12:00:00Z');
    expect((await mailsAfterRun(email)).map(({ subject }) => subject)).toEqual([
      `Weekly report for ${site}: No visitors`,
    ]);
    expect((await mailsAfterRun(email))[0]?.text).toMatch(/Nov 9 – 15, 2026[^]*\nVisitors: 0\n/);
  });

  it('is sent once, even by several replicas or after one of them died', async () => {
    setTime('2026-10-20T10:00:00Z');
    const [{ email }, other] = [await createReport(), await createReport({ timezone: 'UTC' })];
    const { services, stores } = client.app;
    // Simulates another process: its queues only enqueue.
    const queues = createQueues({
      connection: stores.redisAddress,
      prefix: 'jobs',
      logger: silent,
      clock,
    });
    const { keys, dashboards, sites, audit, outbox } = services;
    const messages = createMessages({
      queues,
      store: createDeliveryStore(stores.db),
      providers: { email: outbox.provider, sms: undefined },
      keys,
      clock,
      logger: silent,
      appName: 'Acme',
    });
    const store = createReportStore(stores.db);
    const createReplica = (overrides: Partial<typeof store> = {}, hasEmail = true) =>
      createReports({
        db: stores.db,
        store: { ...store, ...overrides },
        sites,
        dashboards,
        messages,
        tokens: createUnsubscribeTokens(keys('analytics-report-unsubscribe')),
        audit,
        clock,
        logger: silent,
        baseOrigin: 'https://svc.example',
        hasConsoleAccess: () => Promise.resolve(false),
        isEmailConfigured: hasEmail,
      });
    setTime('2026-10-26T09:00:00Z');
    // Without email nothing is sent, and creating a report fails.
    const withoutEmail = createReplica({}, false);
    await withoutEmail.sendDueReports();
    await expect(
      withoutEmail.createReport(
        site,
        { email, frequency: 'weekly', timezone: 'UTC' },
        { actor: { kind: 'system' }, address: '203.0.113.9', requestId: 'x' },
      ),
    ).rejects.toMatchObject({ code: 'analytics.email_not_configured', status: 503 });
    await waitUntilSent();
    expect(mails(email)).toEqual([]);
    await expect(
      createReplica({ markSent: () => Promise.reject(new Error('died')) }).sendDueReports(),
    ).rejects.toThrow('reports that could not be sent');
    await Promise.all([run(), createReplica().sendDueReports(), createReplica().sendDueReports()]);
    await waitUntilSent();
    expect({ emailLength: mails(email).length, otherLength: mails(other.email).length }).toEqual({
      emailLength: 1,
      otherLength: 1,
    });
    await queues.close(0);
  });

  it('that fails does not hold up the others', async () => {
    setTime('2026-10-20T10:00:00Z');
    const [broken, { email }] = [await createReport(), await createReport()];
    await client.app.stores.db
      .updateTable('analytics_reports')
      .set({ timezone: 'No/Where' })
      .where('id', '=', broken.id)
      .execute();
    setTime('2026-10-26T09:00:00Z');
    await expect(run()).rejects.toThrow('reports that could not be sent: 1');
    await waitUntilSent();
    expect({ emailLength: mails(email).length, brokenLength: mails(broken.email).length }).toEqual({
      emailLength: 1,
      brokenLength: 0,
    });
    expect((await client.ask('DELETE', `${reportsOf()}/${broken.id}`, asAdmin)).status).toBe(204);
  });
});

it('a monthly report is sent on the first, compared with the month before', async () => {
  setTime('2026-10-20T10:00:00Z');
  const { email } = await createReport({ frequency: 'monthly', timezone: 'America/New_York' });
  setTime('2026-11-01T12:59:59Z');
  expect(await mailsAfterRun(email)).toEqual([]);
  setTime('2026-11-01T13:00:00Z');
  const [mail] = await mailsAfterRun(email);
  expect(mail?.subject).toBe(`Monthly report for ${site}: 4 visitors`);
  expect(mail?.text).toContain(
    'Oct 1 – 31, 2026 (America/New_York), compared with the month before.\n\nVisitors: 4\n',
  );
});

describe('unsubscribing from a report', () => {
  it('takes a one-click request or the button; opening the page changes nothing', async () => {
    setTime('2026-10-20T10:00:00Z');
    const [one, two] = [await createReport({}, quiet), await createReport({}, quiet)];
    setTime('2026-10-26T09:00:00Z');
    await run();
    await waitUntilSent();
    const tokens = [one, two].map(({ email }) => tokenIn(mails(email)[0]));
    const [first = '', second = ''] = tokens;
    const page = await client.ask('GET', `/analytics/reports/unsubscribe?token=${first}`, {
      accept: 'text/html',
    });
    expect({
      status: page.status,
      includes: page.text.includes(`value="${first}"`),
      'cache-control': page.headers['cache-control'],
      'referrer-policy': page.headers['referrer-policy'],
    }).toEqual({
      status: 200,
      includes: true,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    expect({
      first: (await unsubscribe(first)).statusCode,
      second: (await unsubscribe(first, { accept: 'text/html' })).statusCode,
    }).toEqual({ first: 200, second: 200 });
    setTime('2026-11-02T09:00:00Z');
    expect({
      oneLength: (await mailsAfterRun(one.email)).length,
      twoLength: mails(two.email).length,
    }).toEqual({ oneLength: 1, twoLength: 2 });
    const refused = [
      `${first}x`,
      first.replace(/^.{8}/, '00000000'),
      `${one.id}.${second.split('.')[1]}`,
      '',
      'x'.repeat(256),
    ];
    for (const token of refused)
      expect({ token, status: (await unsubscribe(token)).statusCode }).toEqual({
        token,
        status: 410,
      });
    const tested = await client.ask('POST', `${reportsOf(quiet)}/${one.id}/test`, asAdmin);
    expect({ status: tested.status, code: tested.body.code }).toEqual({
      status: 409,
      code: 'analytics.report_ended',
    });
    expect(
      (
        await client.ask('POST', reportsOf(quiet), asAdmin, {
          email: one.email,
          frequency: 'weekly',
        })
      ).body.code,
    ).toBe('analytics.report_exists');
  });
});

describe('the reports API', () => {
  it('sends a test at once, at most one a minute, and the due report nonetheless', async () => {
    setTime('2026-10-20T10:00:00Z');
    const { id, email } = await createReport({ timezone: 'UTC' }, quiet);
    for (const second of [0, 1]) {
      setTime(`2026-10-20T10:00:0${second}Z`);
      expect((await client.ask('POST', `${reportsOf(quiet)}/${id}/test`, asAdmin)).status).toBe(
        202,
      );
    }
    await waitUntilSent();
    expect(mails(email).map(({ subject }) => subject)).toEqual([
      `Weekly test report for ${quiet}: No visitors`,
    ]);
    setTime('2026-10-26T08:00:00Z');
    expect(
      (await mailsAfterRun(email)).map(({ subject }) => subject?.includes('test report')),
    ).toEqual([false, true]);
    const { body } = await client.ask('GET', `/api/v1/audit?target_id=${id}`, asAdmin);
    expect((body.data as { action: string }[]).map(({ action }) => action).sort()).toEqual([
      'analytics.report_created',
      'analytics.report_tested',
      'analytics.report_tested',
    ]);
    expect(JSON.stringify(body)).not.toContain(email);
  });

  it('refuses other callers, invalid values, duplicates and more than 50 reports', async () => {
    const reader = await client.keyWith('analytics:read');
    for (const [headers, status] of [
      [{}, 401],
      [reader, 403],
    ] as const) {
      expect((await client.ask('GET', reportsOf(), headers)).status).toBe(status);
      expect(
        (
          await client.ask('POST', reportsOf(), headers, {
            email: 'a@example.com',
            frequency: 'weekly',
          })
        ).status,
      ).toBe(status);
    }
    for (const body of [
      {},
      { email: 'a@example.com' },
      { email: 'nobody', frequency: 'weekly' },
      { email: 'a@example.com\nb', frequency: 'weekly' },
      { email: 'a@example.com', frequency: 'daily' },
      { email: 'a@example.com', frequency: 'weekly', timezone: 'Mars' },
    ]) {
      expect({
        body,
        status: (await client.ask('POST', reportsOf(), asAdmin, body)).status,
      }).toEqual({ body, status: 422 });
    }
    const third = newSite();
    expect(
      (
        await client.ask('POST', reportsOf(third), asAdmin, {
          email: 'a@example.com',
          frequency: 'weekly',
        })
      ).body.code,
    ).toBe('analytics.site_unknown');
    expect((await client.ask('DELETE', `${reportsOf()}/${randomUUID()}`, asAdmin)).body.code).toBe(
      'analytics.report_not_found',
    );
    await client.store(
      batch,
      { events: [{ event: 'pageview', url: '/', site_id: third }] },
      asAdmin,
    );
    const made = await Promise.all(
      Array.from({ length: 53 }, (_, each) =>
        client.ask('POST', reportsOf(third), asAdmin, {
          email: `${each === 1 ? 0 : each}@example.com`,
          frequency: 'weekly',
        }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(
      new Set(made.filter(({ status }) => status === 409).map(({ body }) => body.code)),
    ).toEqual(new Set(['analytics.report_exists', 'analytics.too_many_reports']));
  });
});
