import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { adminKey, asAdmin } from '../../../support/app.ts';
import { batch, exportUrl, newSite, track, useAnalytics } from '../support.ts';

const analytics = await useAnalytics({ env: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'trace' } });

const addresses = ['203.0.113.77', '2001:db8:77::beef', '198.51.100.9'];
const agent = 'PrivateAgent/7.31 (owner: Zaphod)';
const personal = [
  'person-4711',
  'Zaphod',
  'secret-token-99',
  'zaphod%40example.org',
  'zaphod@example.org',
  'campaign-of-zaphod',
];

/** Sends good and bad requests of every kind, each with personal data. */
async function sendEverything(site: string, authorization: string, ip: string): Promise<void> {
  const event = {
    event: 'pageview',
    url: '/p?q=secret-token-99&utm_campaign=campaign-of-zaphod',
    site_id: site,
    user_id: 'person-4711',
    title: 'zaphod@example.org',
  };
  const browser = analytics.tracker.as({
    'x-forwarded-for': ip,
    'user-agent': agent,
    referer: 'https://example.org/?mail=zaphod%40example.org',
    cookie: 'a=secret-token-99',
  });
  const writer = browser.as({ authorization });
  const admin = browser.as(asAdmin);
  const json = browser.as({ 'content-type': 'application/json' });
  const gzipped = json.as({ 'content-encoding': 'gzip' });
  await browser.post(track, { ...event, id: randomUUID() });
  await writer.post(track, { ...event, ip, user_agent: agent });
  await writer.post(batch, {
    events: [event, { ...event, url: 'ftp://secret-token-99' }, { user_id: 'person-4711' }],
  });
  await browser.get(`/analytics/pixel.gif?site=${site}&page=/secret-token-99`);
  await browser.get(`/analytics/pixel.gif?site=${site}&mail=zaphod%40example.org&site=x`);
  await json.post(track, '{"user_id":"person-4711",');
  await browser.post(track, { user_id: 'person-4711', url: 7 });
  await gzipped.post(track, Buffer.from('person-4711'));
  await gzipped.post(batch, gzipSync('person-4711'.repeat(500_000)));
  await browser.as({ authorization: 'Bearer secret-token-99' }).post(track, event);
  await browser.get(`/analytics/nothing?mail=zaphod%40example.org`);
  const dashboard = '/analytics/dashboard?site_id=';
  await writer.get(`${dashboard}${site}&filter=user_id:is:person-4711`);
  await admin.get(`${dashboard}${site}&filter=page:matches:(secret-token-99`);
  await admin.get(`${dashboard}person-4711`);
  await admin.post(exportUrl, { site_id: site, filter: 'user_id:is:person-4711' });
  await admin.post(exportUrl, { site_id: site, format: 'parquet' });
}

async function contents(dir: string): Promise<string> {
  const names = await readdir(dir);
  return (await Promise.all(names.map((name) => readFile(join(dir, name), 'latin1')))).join('');
}

it('logs no address, user agent, user, query or key, and stores no address', async () => {
  const site = newSite();
  const { authorization } = await analytics.keyHeaders('analytics:write');
  const key = authorization.slice('Bearer '.length);
  for (const ip of addresses) await sendEverything(site, authorization, ip);
  const rows = await analytics.rows(site);
  expect(rows).toHaveLength(12);
  expect(new Set(rows.map((row) => row.visitor_id)).size).toBeGreaterThan(1);
  const log = analytics.app.log();
  expect(log).toContain('request completed');
  for (const text of [...addresses, agent, ...personal, key, adminKey, site])
    expect(log).not.toContain(text);

  const { dataDir } = analytics.app;
  const journal = await contents(join(dataDir, 'journal'));
  expect(journal).toContain('person-4711');
  for (const text of [...addresses, '127.0.0.1', key]) expect(journal).not.toContain(text);
  const events = await readFile(join(dataDir, 'events.duckdb'), 'latin1');
  const stored = `${events}${await contents(join(dataDir, 'ids'))}`;
  for (const ip of addresses) expect(stored).not.toContain(ip);
});
