import { createClient } from 'graphql-http';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { adminKey, asAdmin, type TestApp } from '../support/app.ts';
import { listen } from '../support/sockets.ts';
import { newClient } from './mcp/client.ts';

let app: TestApp;
let origin = '';
beforeAll(async () => {
  app = await sharedApp('named');
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);

/** Sends a query with the client of graphql-http. */
function queryOver(headers: Record<string, string>) {
  const client = createClient({ url: `${origin}/api/graphql`, headers });
  return (query: string) =>
    new Promise<{ data?: unknown; errors?: readonly unknown[] }>((resolve, reject) => {
      client.subscribe({ query }, { next: resolve, error: reject, complete: () => undefined });
    });
}

const leadsTo = async (path: string): Promise<[number, unknown]> => {
  const { statusCode, headers } = await app.http.inject({ url: path });
  return [statusCode, headers.location];
};

describe("graphql-http's client", () => {
  it('creates, changes and deletes a QR code, whose link follows at once', async () => {
    const query = queryOver(asAdmin);
    const created = await query(
      'mutation { createQrCode(input: { name: "Door", code: "by-graphql", ' +
        'url: "https://example.com/a" }) { qrCode { id shortUrl } } }',
    );
    expect(created).toMatchObject({
      data: { createQrCode: { qrCode: { shortUrl: 'https://svc.example/q/by-graphql' } } },
    });
    expect(await leadsTo('/q/by-graphql')).toEqual([302, 'https://example.com/a']);
    const { id } = (created.data as { createQrCode: { qrCode: { id: string } } }).createQrCode
      .qrCode;
    await query(
      `mutation { updateQrCode(id: "${id}", input: { url: "https://example.com/b" }) ` +
        '{ qrCode { id } } }',
    );
    expect(await leadsTo('/q/by-graphql')).toEqual([302, 'https://example.com/b']);
    expect(await query('{ qrCodes(first: 5) { nodes { code url status } } }')).toMatchObject({
      data: {
        qrCodes: {
          nodes: [{ code: 'by-graphql', url: 'https://example.com/b', status: 'active' }],
        },
      },
    });
    await query(`mutation { deleteQrCode(id: "${id}") { deletedId } }`);
    expect((await leadsTo('/q/by-graphql'))[0]).toBe(404);
  });

  it('sees no codes and tags without the rights', async () => {
    const query = queryOver({});
    for (const field of ['qrCodes', 'nfcTags', 'nfcAlarms'])
      expect(await query(`{ ${field}(first: 5) { nodes { id } } }`)).toMatchObject({
        errors: [{ extensions: { code: 'request.unauthenticated' } }],
      });
  });
});

describe("the SDK's MCP client", () => {
  it('creates a QR code that works, and is told why a target is refused', async () => {
    const client = await newClient(origin, adminKey);
    const code = { name: 'Door', code: 'by-mcp', url: 'https://example.com/a' };
    const { structuredContent } = await client.callTool({
      name: 'create_qr_code',
      arguments: code,
    });
    expect(structuredContent).toMatchObject({ short_url: 'https://svc.example/q/by-mcp' });
    expect(await leadsTo('/q/by-mcp')).toEqual([302, 'https://example.com/a']);
    const refused = await client.callTool({
      name: 'create_qr_code',
      arguments: { ...code, code: 'other', url: 'javascript:alert(1)' },
    });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('http');
    expect((await leadsTo('/q/other'))[0]).toBe(404);
    await client.close();
  });

  it('creates an NFC tag without seeing its keys, and switches it off', async () => {
    const client = await newClient(origin, adminKey);
    const { structuredContent: tag } = await client.callTool({
      name: 'create_nfc_tag',
      arguments: { name: 'Door', chip: 'ntag424', mode: 'sun', code: 'by-mcp', action: 'page' },
    });
    expect(tag).toMatchObject({ url: 'https://svc.example/n/by-mcp', key_version: 1 });
    expect(JSON.stringify(tag)).not.toMatch(/sealed|meta_key|file_key|v1\./);
    expect((await leadsTo('/n/by-mcp'))[0]).toBe(403);
    await client.callTool({
      name: 'update_nfc_tag',
      arguments: { id: (tag as { id: string }).id, changes: { active: false } },
    });
    expect((await leadsTo('/n/by-mcp'))[0]).toBe(410);
    await client.close();
  });
});
