import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dayMs } from '../../src/lib/durations.ts';
import { adminKey, asAdmin, browser } from '../support/app.ts';
import { clockFromNoon } from '../support/clock.ts';
import { TestClient } from '../support/client.ts';
import { accept, mcpUrl } from '../surfaces/mcp/client.ts';
import { useGuideService } from './guide-service.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const noon = clockFromNoon();
let offset = -dayMs;
// The guide shows the public address, not the one where the test listens.
const service = await useGuideService({
  own: {
    clock: { now: () => noon.now() + offset },
    env: { BASE_URL: 'http://127.0.0.1:3000' },
  },
});

const event = { event: 'pageview', url: '/pricing', site_id: 'shop' };
const visitor = new TestClient(service.app).as({ 'user-agent': browser });
expect((await visitor.post('/analytics/track/', event)).status).toBe(200);
await service.app.applied();
offset = 0;

it('mcp.md works as written', async () => {
  const variables: Record<string, string> = { ADMIN_API_KEY: adminKey };
  const runTypeScript = async (source: string) => {
    expect(await typeErrors(source)).toEqual([]);
    const { topPages } = await loadTypeScript<{
      topPages: (key: string, site: string) => Promise<unknown>;
    }>(source, service.origin);
    expect(await topPages(variables.KEY ?? '', 'shop')).toMatchObject({
      pages: [{ page: '/pricing', visitors: 1 }],
    });
    await expect(topPages(variables.KEY ?? '', 'nothing')).rejects.toThrow('Call list_sites');
  };
  expect(await service.follow('mcp.md', { variables, runTypeScript })).toEqual({
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
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { text } = await new TestClient(service.app)
    .as({ ...accept, ...asAdmin })
    .post(mcpUrl, message);
  const [, data = ''] = /^data: (.*)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data) as { result: { tools: { name: string }[] } };
  expect(shown.map(([name]) => name)).toEqual(result.tools.map(({ name }) => name));
  expect(shown.filter(([, scope]) => scope !== undefined).length).toBe(54);
});
