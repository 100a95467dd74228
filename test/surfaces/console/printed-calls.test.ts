import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unescaped } from '../pages/support.ts';
import { adminKey, asAdmin, type FreshApp, freshApp } from '../../support/app.ts';
import { requireCurl, runShell } from '../../guides/shell.ts';
import { look, personOf, submit } from './pages.ts';

let app: FreshApp;
let admin: Awaited<ReturnType<typeof personOf>>;
let server = '';

beforeAll(async () => {
  await requireCurl();
  app = await freshApp({ env: { DEVICE_BINDING: 'none' } });
  admin = await personOf(app, 'ada@example.com', ['admin']);
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  server = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

/** Returns the only call on a page, as users copy it. */
function printedCall(page: string): string {
  const calls = [...page.matchAll(/<pre tabindex="0"><code>([^<]*curl[^<]*)<\/code><\/pre>/g)].map(
    ([, text = '']) => unescaped(text),
  );
  expect(calls).toHaveLength(1);
  return calls[0] ?? '';
}

async function visitors(site: string): Promise<number> {
  await app.applied();
  const answer = await app.http.inject({
    url: `/analytics/dashboard?site_id=${site}`,
    headers: asAdmin,
  });
  return answer.json<{ totals: { visitors: number } }>().totals.visitors;
}

describe('a printed call works as copied', () => {
  it('on the empty overview: a visitor is counted', async () => {
    const call = printedCall((await look(app, '', admin.headers)).body);
    const { text, statuses } = await runShell(call, server, {});
    expect({ statuses, body: JSON.parse(text) as unknown }).toMatchObject({
      statuses: [200],
      body: { accepted: 1 },
    });
    expect(await visitors('example.com')).toBe(1);
  });

  it.each([
    [['analytics:write'], { accepted: 1 }],
    [['analytics:read'], { data: [{ site_id: 'example.com' }] }],
    [['admin'], { data: [{ site_id: 'example.com' }] }],
    [['analytics:read', 'analytics:write'], { data: [{ site_id: 'example.com' }] }],
  ])('beside a new key for %s, which may do what the call does', async (scopes, answer) => {
    const ticks = Object.fromEntries(scopes.map((scope) => [`scope.${scope}`, 'yes']));
    const page = await submit(
      app,
      'keys',
      { name: `For ${scopes.join(' ')}`, days: '30', ...ticks },
      admin.headers,
    );
    const { text, statuses } = await runShell(printedCall(page.body), server, {});
    expect({ statuses, body: JSON.parse(text) as unknown }).toMatchObject({
      statuses: [200],
      body: answer,
    });
  });

  it('in the README: a visitor is counted', async () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const block = /## First event[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    // Skips the first lines, which start the service.
    const [begin, send = '', read = ''] = block.split('\n\n');
    expect(begin).toContain('npm start');
    expect(JSON.parse((await runShell(send, server, {})).text)).toMatchObject({ accepted: 1 });
    await app.applied();
    const { text } = await runShell(read, server, { ADMIN_API_KEY: adminKey });
    expect(JSON.parse(text)).toMatchObject({
      site_id: 'my-site',
      totals: { visitors: 1, pageviews: 1 },
    });
  });
});
