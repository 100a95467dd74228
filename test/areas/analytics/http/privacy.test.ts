import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest({ env: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'trace' } });
});
afterAll(() => client.close());

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

async function sendEverything(site: string, key: string): Promise<void> {
  const event = {
    event: 'pageview',
    url: '/p?q=secret-token-99&utm_campaign=campaign-of-zaphod',
    site_id: site,
    user_id: 'person-4711',
    title: 'zaphod@example.org',
  };
  for (const ip of addresses) {
    const headers = {
      'x-forwarded-for': ip,
      'user-agent': agent,
      referer: 'https://example.org/?mail=zaphod%40example.org',
      cookie: 'a=secret-token-99',
    };
    const keyed = { ...headers, authorization: `Bearer ${key}` };
    await client.ask('POST', track, headers, { ...event, id: randomUUID() });
    await client.ask('POST', track, keyed, { ...event, ip, user_agent: agent });
    await client.ask('POST', batch, keyed, {
      events: [event, { ...event, url: 'ftp://secret-token-99' }, { user_id: 'person-4711' }],
    });
    await client.ask('GET', `/analytics/pixel.gif?site=${site}&page=/secret-token-99`, headers);
    await client.ask(
      'GET',
      `/analytics/pixel.gif?site=${site}&mail=zaphod%40example.org&site=x`,
      headers,
    );
    await client.ask(
      'POST',
      track,
      { ...headers, 'content-type': 'application/json' },
      '{"user_id":"person-4711",',
    );
    await client.ask('POST', track, headers, { user_id: 'person-4711', url: 7 });
    await client.ask(
      'POST',
      track,
      { ...headers, 'content-encoding': 'gzip', 'content-type': 'application/json' },
      Buffer.from('person-4711'),
    );
    await client.ask(
      'POST',
      batch,
      { ...headers, 'content-encoding': 'gzip', 'content-type': 'application/json' },
      gzipSync('person-4711'.repeat(500_000)),
    );
    await client.ask('POST', track, { ...headers, authorization: 'Bearer secret-token-99' }, event);
    await client.ask('GET', `/analytics/nothing?mail=zaphod%40example.org`, headers);
    await client.ask(
      'GET',
      `/analytics/dashboard?site_id=${site}&filter=user_id:is:person-4711`,
      keyed,
    );
    await client.ask(
      'GET',
      `/analytics/dashboard?site_id=${site}&filter=page:matches:(secret-token-99`,
      { ...headers, ...asAdmin },
    );
    await client.ask('GET', `/analytics/dashboard?site_id=person-4711`, { ...headers, ...asAdmin });
    await client.ask(
      'POST',
      '/analytics/export/events',
      { ...headers, ...asAdmin },
      { site_id: site, filter: 'user_id:is:person-4711' },
    );
    await client.ask(
      'POST',
      '/analytics/export/events',
      { ...headers, ...asAdmin },
      { site_id: site, format: 'parquet' },
    );
  }
}

async function contents(dir: string): Promise<string> {
  const names = await readdir(dir);
  return (await Promise.all(names.map(async (name) => readFile(join(dir, name), 'latin1')))).join(
    '',
  );
}

it('logs no address, user agent, user, query or key, and stores no address', async () => {
  const site = newSite();
  const { authorization } = await client.keyWith('analytics:write');
  const key = authorization.slice(7);
  await sendEverything(site, key);
  const rows = await client.rows(site);
  expect(rows).toHaveLength(12);
  expect(new Set(rows.map((row) => row.visitor_id)).size).toBeGreaterThan(1);
  const log = client.app.log();
  expect(log).toContain('request completed');
  for (const text of [...addresses, agent, ...personal, key, adminKey, site])
    expect(log).not.toContain(text);

  const { dataDir } = client.app;
  const journal = await contents(join(dataDir, 'journal'));
  expect(journal).toContain('person-4711');
  for (const text of [...addresses, '127.0.0.1', key]) expect(journal).not.toContain(text);
  const events = await readFile(join(dataDir, 'events.duckdb'), 'latin1');
  const stored = `${events}${await contents(join(dataDir, 'ids'))}`;
  for (const ip of addresses) expect(stored).not.toContain(ip);
});
