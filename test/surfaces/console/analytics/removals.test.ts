import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { personOf } from '../pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const { services } = app;
const by = { actor: { kind: 'system' as const } };
const site = 'removals.example';
await services.siteAdmin.createSite(site, by);

/** Deletes by the form, and presses the button of the notice that follows. */
async function undo(form: string, id: string, restore: string): Promise<void> {
  const { headers } = await admin.form(form, { site_id: site, id });
  const notice = await admin.page(String(headers.location));
  expect(notice.text).toContain('Undo');
  const { searchParams } = new URL(String(headers.location), 'http://127.0.0.1');
  const removed = searchParams.get('removed') ?? '';
  const back = await admin.form(restore, { site_id: site, removed });
  expect(back.status).toBe(303);
}

describe('what is configured for a site', () => {
  it('is a goal that comes back with its id after one click', async () => {
    const body = { name: 'Paid', kind: 'event' as const, value: 'purchase', filters: [] };
    const goal = await services.goals.createGoal(site, body, by);
    await undo('analytics/goals/delete', goal.id, 'analytics/goals/restore');
    expect(await services.goals.listGoals(site)).toEqual([goal]);
  });

  it('is a funnel that comes back with its steps', async () => {
    const steps = ['/', '/pricing'].map((value) => ({ kind: 'page' as const, value, filters: [] }));
    const body = { name: 'To the prices', within: 'visit' as const, steps };
    const funnel = await services.funnels.createFunnel(site, body, by);
    await undo('analytics/goals/funnels/delete', funnel.id, 'analytics/goals/funnels/restore');
    expect(await services.funnels.listFunnels(site)).toEqual([funnel]);
  });

  it('is a share link that works again at the same address', async () => {
    const { id, url } = await services.shares.createShare(site, { name: 'The agency' }, by);
    const { pathname } = new URL(url);
    const { status } = await admin.form('analytics/site/shares/revoke', { site_id: site, id });
    expect(status).toBe(303);
    expect((await admin.page(pathname)).status).toBe(404);
    await undo('analytics/site/shares/revoke', id, 'analytics/site/shares/restore');
    expect((await admin.page(pathname)).status).toBe(200);
  });

  it('is an email report that comes back with its recipient and schedule', async () => {
    const body = { email: 'grete@shop.example', frequency: 'weekly' as const };
    const report = await services.reports.createReport(site, { ...body, timezone: 'UTC' }, by);
    await undo('analytics/site/reports/delete', report.id, 'analytics/site/reports/restore');
    expect(await services.reports.listReports(site)).toEqual([report]);
  });

  it('does not come back by an address that was made up', async () => {
    const answer = await admin.form('analytics/goals/restore', { site_id: site, removed: 'x' });
    expect(answer.status).toBe(422);
    expect(await services.goals.listGoals(site)).toHaveLength(1);
  });
});
