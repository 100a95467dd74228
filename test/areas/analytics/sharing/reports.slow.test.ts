import { brandNamed } from '../../../support/brand.ts';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import {
  formatChange,
  formatPercent as percent,
  formatPoints,
} from '../../../../src/areas/analytics/figures/format.ts';
import { createReportStore } from '../../../../src/areas/analytics/sharing/reports/store.ts';
import { createReports } from '../../../../src/areas/analytics/sharing/reports/service.ts';
import type { OutboxMessage } from '../../../../src/areas/comms/outbox.ts';
import { createMessages } from '../../../../src/areas/comms/service.ts';
import { createDeliveryStore } from '../../../../src/areas/comms/store.ts';
import { createQueues } from '../../../../src/platform/queues/queues.ts';
import type { TestResponse } from '../../../support/client.ts';
import { saying } from '../../../support/responses.ts';
import { it } from '../../../support/test.ts';
import { silent } from '../../../platform/database/engines.ts';
import { expectAdminsOnly, newSite, useSharedAnalytics, view } from '../support.ts';

let at = Date.parse('2026-10-20T10:00:00Z');
const clock = { now: () => at };
const setTime = (iso: string) => {
  at = Date.parse(iso);
};
const [site, quiet] = [newSite(), newSite()];
const analytics = await useSharedAnalytics({ profile: 'named', clock });

const event = (time: string, user: string, url: string, more: object = {}) =>
  view(site, { url, user_id: user, timestamp: time, ...more });
setTime('2026-10-26T02:00:00Z');
await analytics.fill(
  // In Berlin: Sunday 23:30 and Monday 00:30 (summer time), then Sunday 23:30 and Monday 00:30 a
  // week later (standard time).
  event('2026-10-18T21:30:00Z', 'eve', '/old'),
  event('2026-10-18T22:30:00Z', 'ann', '/', { referrer: 'https://www.google.com/' }),
  event('2026-10-25T22:30:00Z', 'ben', '/prices?x=1'),
  event('2026-10-25T22:31:00Z', 'ben', '/prices', { event: 'buy \u202enow' }),
  event('2026-10-25T23:30:00Z', 'zoe', '/later'),
  event('2026-10-20T00:00:00Z', 'ann', '/', { site_id: quiet }),
);
beforeEach(() => {
  setTime('2026-10-20T10:00:00Z');
});

let readers = 0;
const reportsOf = (of = site) => `/analytics/sites/${of}/reports`;
const emails = (to: string) => analytics.app.services.outbox.list(to);
const run = () => analytics.app.services.reports.sendDueReports();

async function createReport(body: object = {}, of = site): Promise<{ id: string; email: string }> {
  const answer = await analytics.admin.post<{ id: string; email: string }>(reportsOf(of), {
    email: `Reader-${(readers += 1)}@example.com`,
    frequency: 'weekly',
    timezone: 'Europe/Berlin',
    ...body,
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

/** Sends what is due. Returns the messages to an address so far. */
async function mailsAfterRun(to: string): Promise<OutboxMessage[]> {
  await run();
  await analytics.app.settled();
  return emails(to);
}

const tokenIn = (mail: OutboxMessage | undefined): string =>
  /unsubscribe\?token=(\S+)/.exec(mail?.unsubscribe ?? '')?.[1] ?? '(missing)';
const unsubscribe = (token: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  analytics.tracker.post(
    `/analytics/reports/unsubscribe?token=${token}`,
    'List-Unsubscribe=One-Click',
    { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } },
  );

describe('a weekly report', () => {
  it('is sent once, from Monday 08:00 in its time zone, about the previous week', async () => {
    const { id, email } = await createReport();
    expect(email).toMatch(/^reader-/);
    for (const early of ['2026-10-20T11:00:00Z', '2026-10-26T06:59:59Z']) {
      setTime(early);
      expect(await mailsAfterRun(email), early).toEqual([]);
    }
    setTime('2026-10-26T07:00:00Z');
    const [mail, ...others] = await mailsAfterRun(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Weekly report for ${site}: 2 visitors, up ${percent(100)}`);
    expect(mail?.html?.()).not.toContain('<script');
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
Direct: 1 visitor
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
    expect((await analytics.admin.get(reportsOf())).body.data).toContainEqual(
      expect.objectContaining({ id, last_sent_for: '2026-10-19', unsubscribed_at: null }),
    );
    expect(analytics.app.log()).not.toContain(email);
  });

  it('never covers a period before its creation, and only the latest one', async () => {
    setTime('2026-10-26T09:00:00Z');
    const { email } = await createReport();
    expect(await mailsAfterRun(email)).toEqual([]);
    setTime('2026-11-19T12:00:00Z');
    const text = expect.stringMatching(/Nov 9 – 15, 2026[^]*\nVisitors: 0\n/) as string;
    const empty = { subject: `Weekly report for ${site}: No visitors`, text };
    expect(await mailsAfterRun(email)).toMatchObject([empty]);
    expect(await mailsAfterRun(email)).toHaveLength(1);
  });

  it('is sent once, even by several replicas or after one of them died', async () => {
    const [{ email }, other] = [await createReport(), await createReport({ timezone: 'UTC' })];
    const { services, stores } = analytics.app;
    // Simulates another process: its queues only enqueue.
    const connection = stores.redisAddress;
    const queues = createQueues({ connection, prefix: 'jobs', logger: silent, clock });
    const { keys, dashboards, sites, audit, outbox } = services;
    const messages = createMessages({
      queues,
      store: createDeliveryStore(stores.db),
      providers: { email: outbox.provider, sms: undefined },
      keys,
      clock,
      logger: silent,
      brand: brandNamed('Acme'),
    });
    const store = createReportStore(stores.db);
    const createReplica = (overrides: Partial<typeof store> = {}, hasEmail = true) =>
      createReports(
        {
          db: stores.db,
          sites,
          dashboards,
          messages,
          channels: { email: hasEmail },
          users: { ownerOf: () => Promise.resolve(undefined) },
          audit,
          keys,
          clock,
          logger: silent,
          baseOrigin: 'https://svc.example',
        },
        { ...store, ...overrides },
      );
    setTime('2026-10-26T09:00:00Z');
    // Without email nothing is sent, and creating a report fails.
    const withoutEmail = createReplica({}, false);
    await withoutEmail.sendDueReports();
    const report = { email, frequency: 'weekly', timezone: 'UTC' } as const;
    const by = { actor: { kind: 'system' }, address: '203.0.113.9', requestId: 'x' } as const;
    const refused = { code: 'analytics.email_not_configured', status: 503 };
    await expect(withoutEmail.createReport(site, report, by)).rejects.toMatchObject(refused);
    await analytics.app.settled();
    expect(emails(email)).toEqual([]);
    const dying = createReplica({ markSent: () => Promise.reject(new Error('died')) });
    await expect(dying.sendDueReports()).rejects.toThrow('reports that could not be sent');
    await Promise.all([run(), createReplica().sendDueReports(), createReplica().sendDueReports()]);
    await analytics.app.settled();
    expect(emails(email)).toHaveLength(1);
    expect(emails(other.email)).toHaveLength(1);
    await queues.close(0);
  });

  it('that fails does not hold up the others', async () => {
    const [broken, { email }] = [await createReport(), await createReport()];
    await analytics.app.stores.db
      .updateTable('analytics_reports')
      .set({ timezone: 'No/Where' })
      .where('id', '=', broken.id)
      .execute();
    setTime('2026-10-26T09:00:00Z');
    await expect(run()).rejects.toThrow('reports that could not be sent: 1');
    await analytics.app.settled();
    expect(emails(email)).toHaveLength(1);
    expect(emails(broken.email)).toEqual([]);
    const deleted = await analytics.admin.delete(`${reportsOf()}/${broken.id}`);
    expect(deleted).toMatchObject({ status: 204 });
  });
});

it('a monthly report is sent on the first, compared with the month before', async () => {
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
    const [one, two] = [await createReport({}, quiet), await createReport({}, quiet)];
    setTime('2026-10-26T09:00:00Z');
    await run();
    await analytics.app.settled();
    const [first, second] = [tokenIn(emails(one.email)[0]), tokenIn(emails(two.email)[0])];
    const page = await analytics.tracker.page(`/analytics/reports/unsubscribe?token=${first}`);
    expect(page).toMatchObject({
      ...saying(200, `value="${first}"`),
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    });
    expect(await unsubscribe(first)).toMatchObject({ status: 200 });
    expect(await unsubscribe(first, { accept: 'text/html' })).toMatchObject({ status: 200 });
    setTime('2026-11-02T09:00:00Z');
    expect(await mailsAfterRun(one.email)).toHaveLength(1);
    expect(emails(two.email)).toHaveLength(2);
    const mixed = `${one.id}.${second.split('.')[1]}`;
    const changed = first.replace(/^.{8}/, '00000000');
    for (const token of [`${first}x`, changed, mixed, '', 'x'.repeat(256)])
      expect((await unsubscribe(token)).status, token).toBe(410);
    const tested = await analytics.admin.post(`${reportsOf(quiet)}/${one.id}/test`);
    expect(tested).toBeProblem(409, 'analytics.report_ended');
    const again = { email: one.email, frequency: 'weekly' };
    const made = await analytics.admin.post(reportsOf(quiet), again);
    expect(made).toBeProblem(409, 'analytics.report_exists');
  });
});

describe('the reports API', () => {
  const valid = { email: 'a@example.com', frequency: 'weekly' };

  it('sends a test at once, at most one a minute, and the due report nonetheless', async () => {
    const { id, email } = await createReport({ timezone: 'UTC' }, quiet);
    for (const second of [0, 1]) {
      setTime(`2026-10-20T10:00:0${second}Z`);
      const tested = await analytics.admin.post(`${reportsOf(quiet)}/${id}/test`);
      expect(tested).toMatchObject({ status: 202 });
    }
    await analytics.app.settled();
    const test = { subject: `Weekly test report for ${quiet}: No visitors` };
    expect(emails(email)).toMatchObject([test]);
    setTime('2026-10-26T08:00:00Z');
    const due = { subject: expect.not.stringContaining('test report') as string };
    expect(await mailsAfterRun(email)).toMatchObject([due, test]);
    const actions = (await analytics.auditEntries(id)).map(({ action }) => action);
    const tested = ['analytics.report_tested', 'analytics.report_tested'];
    expect(actions.sort()).toEqual(['analytics.report_created', ...tested]);
    expect((await analytics.admin.get(`/api/v1/audit?target_id=${id}`)).text).not.toContain(email);
  });

  it('refuses other callers', async () => {
    await expectAdminsOnly(
      analytics,
      (by) => by.get(reportsOf()),
      (by) => by.post(reportsOf(), valid),
    );
  });

  it.each([
    {},
    { email: 'a@example.com' },
    { ...valid, email: 'nobody' },
    { ...valid, email: 'a@example.com\nb' },
    { ...valid, frequency: 'daily' },
    { ...valid, timezone: 'Mars' },
  ])('refuses %j', async (body) => {
    expect(await analytics.admin.post(reportsOf(), body)).toMatchObject({ status: 422 });
  });

  it('refuses unknown sites and reports, duplicates and more than 50 reports', async () => {
    const { admin } = analytics;
    const third = newSite();
    expect(await admin.post(reportsOf(third), valid)).toBeProblem(404, 'analytics.site_unknown');
    const deleted = await admin.delete(`${reportsOf()}/${randomUUID()}`);
    expect(deleted).toBeProblem(404, 'analytics.report_not_found');
    await analytics.registerSite(third);
    const made = await Promise.all(
      Array.from({ length: 53 }, (_, each) => {
        const email = `${each === 1 ? 0 : each}@example.com`;
        return admin.post(reportsOf(third), { ...valid, email });
      }),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    const refusals = made.filter(({ status }) => status === 409).map(({ body }) => body.code);
    const codes = ['analytics.report_exists', 'analytics.too_many_reports'];
    expect(new Set(refusals)).toEqual(new Set(codes));
  });
});
