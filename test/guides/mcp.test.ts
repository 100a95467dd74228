import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, browser, freshApp, type FreshApp } from '../support/app.ts';
import { accept } from '../surfaces/mcp/client.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const dayMs = 86_400_000;
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
let offset = 0;
let app: FreshApp;
let origin = '';

beforeAll(async () => {
  await requireCurl();
  app = await freshApp({
    clock: { now: () => noon - dayMs + offset },
    env: { BASE_URL: 'http://127.0.0.1:3000' },
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const tracked = await fetch(`${origin}/analytics/track/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': browser },
    body: JSON.stringify({ event: 'pageview', url: '/pricing', site_id: 'shop' }),
  });
  expect(tracked.status).toBe(200);
  await app.applied();
  offset = dayMs;
}, 60_000);
afterAll(() => app.close());

it('mcp.md works as written', async () => {
  const variables: Record<string, string> = { ADMIN_API_KEY: adminKey };
  const runTypeScript = async (source: string) => {
    expect(await typeErrors(source)).toEqual([]);
    const { topPages } = await loadTypeScript<{
      topPages: (key: string, site: string) => Promise<unknown>;
    }>(source, origin);
    expect(await topPages(variables.KEY ?? '', 'shop')).toMatchObject({
      pages: [{ page: '/pricing', visitors: 1 }],
    });
    await expect(topPages(variables.KEY ?? '', 'nothing')).rejects.toThrow('Call list_sites');
  };
  // The guide shows the public address, not the one where the test listens.
  const reading = follow('mcp.md', { origin, variables, steps: [], runTypeScript });
  expect(await reading).toEqual({
    ran: 4,
    compared: 3,
    notRun: ['the settings of another program'],
  });
});

it('mcp.md lists the existing tools, with their scopes', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/mcp.md'), 'utf8');
  const shown = [...guide.matchAll(/^\| `(\w+)` \| .+ \| (?:`([\w:]+)`)? ?\|$/gm)].map(
    ([, name, scope]) => [name, scope],
  );
  const answer = await fetch(`${origin}/api/v2/mcp`, {
    method: 'POST',
    headers: { ...accept, authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const [, data = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
  const { result } = JSON.parse(data) as { result: { tools: { name: string }[] } };
  expect(shown.map(([name]) => name)).toEqual(result.tools.map(({ name }) => name));
  expect(shown.filter(([, scope]) => scope !== undefined).length).toBe(43);
});
