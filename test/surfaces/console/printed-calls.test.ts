import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unescaped } from '../pages/support.ts';
import { adminKey, asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { listen } from '../../support/sockets.ts';
import { requireCurl, runShell } from '../../guides/shell.ts';
import { personOf } from './pages.ts';

await requireCurl();
const app = await freshApp({ env: { DEVICE_BINDING: 'none' } });
const admin = await personOf(app, 'ada@example.com', ['admin']);
const server = `http://127.0.0.1:${await listen(app)}`;

/** Returns the only call on a page, as users copy it. */
function printedCall(page: string): string {
  const calls = [...page.matchAll(/<pre tabindex="0"><code>([^<]*curl[^<]*)<\/code><\/pre>/g)].map(
    ([, text = '']) => unescaped(text),
  );
  expect(calls).toHaveLength(1);
  return calls[0] ?? '';
}

const bodyOf = async (call: string) => {
  const { text, statuses } = await runShell(call, server, {});
  expect(statuses).toEqual([200]);
  return JSON.parse(text) as unknown;
};

describe('a printed call works as copied', () => {
  it('on the empty overview: a visitor is counted', async () => {
    const call = printedCall((await admin.page('')).text);
    expect(await bodyOf(call)).toMatchObject({ accepted: 1 });
    await app.applied();
    const figures = new TestClient(app).as(asAdmin).get('/analytics/dashboard?site_id=example.com');
    expect((await figures).body).toMatchObject({ totals: { visitors: 1 } });
  });

  it.each([
    [['analytics:write'], { accepted: 1 }],
    [['analytics:read'], { data: [{ site_id: 'example.com' }] }],
    [['admin'], { data: [{ site_id: 'example.com' }] }],
    [['analytics:read', 'analytics:write'], { data: [{ site_id: 'example.com' }] }],
  ])('beside a new key for %s, which may do what the call does', async (scopes, body) => {
    const ticks = Object.fromEntries(scopes.map((scope) => [`scope.${scope}`, 'yes']));
    const values = { name: `For ${scopes.join(' ')}`, days: '30', ...ticks };
    const page = await admin.form('keys', values);
    expect(await bodyOf(printedCall(page.text))).toMatchObject(body);
  });

  it('in the README: a visitor is counted', async () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const block = /## First event[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    // Skips the first lines, which start the service.
    const [begin, send = '', read = ''] = block.split('\n\n');
    expect(begin).toContain('npm start');
    const key = { ADMIN_API_KEY: adminKey };
    expect(JSON.parse((await runShell(send, server, key)).text)).toMatchObject({ accepted: 1 });
    await app.applied();
    const { text } = await runShell(read, server, key);
    expect(JSON.parse(text)).toMatchObject({
      site_id: 'my-site',
      totals: { visitors: 1, pageviews: 1 },
    });
  });
});
