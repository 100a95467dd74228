import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { redirectTo } from '../../../support/responses.ts';
import { faultsOf, home, personOf } from '../pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);
const site = 'forms.example';
const path = `analytics/site/excluded?site_id=${site}`;
const shields = () => app.services.siteAdmin.getSite(site).settings.shields;
const save = (values: Record<string, string>) =>
  admin.form('analytics/site/excluded', { site_id: site, ...values });

describe('Forms about a site', () => {
  beforeAll(async () => {
    await app.services.siteAdmin.createSite(site, { actor: { kind: 'system' } });
  });

  it('take countries by name or code, and one more from the list', async () => {
    const values = { 'shields.countries': 'Germany\nfr\nCôte d’Ivoire', add_country: 'AT' };
    expect(await save(values)).toMatchObject(redirectTo(`${home}${path}&done=saved`));
    expect(shields().countries).toEqual(['DE', 'FR', 'CI', 'AT']);
    const { text } = await admin.page(path);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain('Germany\nFrance\nCôte d’Ivoire\nAustria');
    expect(text).not.toContain('<option value="AT"');
  });

  it('say which country does not exist, and change nothing', async () => {
    const before = shields();
    const answer = await save({ 'shields.countries': 'Germany\nAtlantis' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('No country is called Atlantis.');
    expect(shields()).toEqual(before);
  });

  it('exclude the address of an admin with one button, next to the others', async () => {
    const [, ip = ''] = /name="add_ip" value="([^"]+)"/.exec((await admin.page(path)).text) ?? [];
    expect(ip).not.toBe('');
    await save({ 'shields.ips': '203.0.113.0/24', add_ip: ip });
    expect(shields().ips).toEqual(['203.0.113.0/24', ip]);
    const { text } = await admin.page(path);
    expect(text).toContain(`Your address, ${ip}, is excluded.`);
    expect(text).not.toContain('name="add_ip"');
    await save({ 'shields.ips': '' });
  });

  it('offer viewers nothing to change', async () => {
    const { text } = await viewer.page(path);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).not.toMatch(/add_ip|add_country/);
  });

  it.each(['goals/new', 'goals/funnels/new', 'site/shares/new', 'site/reports/new'])(
    'say at analytics/%s that they are about the site in analytics',
    async (form) => {
      const { text } = await admin.page(`analytics/${form}?site_id=${site}`);
      const [crumbs = ''] = /<nav class="breadcrumbs".*?<\/nav>/s.exec(text) ?? [];
      expect([...crumbs.matchAll(/<a [^>]*>([^<]*)/g)].map(([, word]) => word)).toEqual([
        'Analytics',
        site,
      ]);
    },
  );

  it('read times in the zone that they were shown in', async () => {
    const zone = 'Asia/Tokyo';
    await app.services.siteAdmin.updateSite(
      site,
      { timezone: zone },
      { actor: { kind: 'system' } },
    );
    const { text } = await admin.page(`analytics/site/annotations/new?site_id=${site}`);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain(`In the site’s time zone, ${zone}.`);
    expect(text).toContain(`name="zone" value="${zone}"`);
    const note = { site_id: site, zone, at: '2026-05-04T09:30', text: 'New prices' };
    await admin.form('analytics/site/annotations', note);
    // The undo of a deletion sends an instant.
    const undone = { site_id: site, at: '2026-05-05T00:30:00.000Z', text: 'Undone' };
    await admin.form('analytics/site/annotations', undone);
    const page = { limit: 10, cursor: undefined };
    const { data } = await app.services.annotations.listAnnotations(site, page);
    expect(data.map(({ at }) => at)).toEqual([
      '2026-05-05T00:30:00.000Z',
      '2026-05-04T00:30:00.000Z',
    ]);
    const share = { site_id: site, zone, name: 'Agency', expires_at: '2090-01-01T09:00' };
    await admin.form('analytics/site/shares', share);
    const [created] = await app.services.shares.listShares(site);
    expect(created?.expires_at).toBe('2090-01-01T00:00:00.000Z');
  });

  it('close a site after its name was typed, and say what goes and what stays', async () => {
    const closing = 'analytics/site/close';
    const { text } = await admin.page(`${closing}?site_id=${site}`);
    expect(await faultsOf(text)).toEqual([]);
    for (const said of [
      'The site stops accepting events right away.',
      'All figures, goals and settings stay.',
      'You can reopen the site at any time.',
      'Events sent while the site is closed are lost.',
      'Last 30 days',
    ])
      expect(text).toContain(said);
    const isClosed = () => app.services.siteAdmin.getSite(site).closed;
    for (const confirm of ['', 'close', 'other.example'])
      expect((await admin.form(closing, { site_id: site, confirm })).status).toBe(422);
    expect(isClosed()).toBe(false);
    expect((await viewer.form(closing, { site_id: site, confirm: site })).status).toBe(403);
    await admin.form(closing, { site_id: site, confirm: site });
    expect(isClosed()).toBe(true);
    const general = await admin.page(`analytics/site?site_id=${site}`);
    expect(general.text).toContain('Reopen site');
    await admin.form('analytics/site/open', { site_id: site });
    expect(isClosed()).toBe(false);
  });

  it('list share links with who created them, and whether they have a password', async () => {
    const share = { site_id: site, name: 'Client', password: 'correct horse' };
    await admin.form('analytics/site/shares', share);
    const by = { actor: { kind: 'system' as const } };
    await app.services.shares.createShare(site, { name: 'Script' }, by);
    const { text } = await admin.page(`analytics/site/shares?site_id=${site}`);
    expect(await faultsOf(text)).toEqual([]);
    const rowOf = (name: string) =>
      [...text.matchAll(/<tr[^>]*>.*?<\/tr>/gs)].find(([row]) => row.includes(name))?.[0];
    expect(rowOf('Client')).toMatch(/With a password.*by (Ada|ada@example.com)/s);
    expect(rowOf('Script')).toContain('Anyone with the link');
    expect(rowOf('Script')).not.toContain('by ');
  });
});
