import { createClient } from 'graphql-http';
import { describe, expect, onTestFinished } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { adminKey, asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { listen } from '../support/sockets.ts';
import { newClient } from './mcp/client.ts';

const app = await sharedApp('named');
const origin = `http://127.0.0.1:${await listen(app)}`;

/** Sends a query with the client of graphql-http. */
function queryOver(headers: Record<string, string>) {
  const client = createClient({ url: `${origin}/api/graphql`, headers });
  return (query: string) =>
    new Promise<{ data?: unknown; errors?: readonly unknown[] }>((resolve, reject) => {
      client.subscribe({ query }, { next: resolve, error: reject, complete: () => undefined });
    });
}

const found = (location: string) => ({ status: 302, headers: { location } });
const visit = (path: string) => new TestClient(app).get(path);
/** A client of MCP that has the admin's key, until the test ends. */
async function mcpAdmin() {
  const client = await newClient(origin, adminKey);
  onTestFinished(() => client.close());
  return (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });
}

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
    expect(await visit('/q/by-graphql')).toMatchObject(found('https://example.com/a'));
    const { id } = (created.data as { createQrCode: { qrCode: { id: string } } }).createQrCode
      .qrCode;
    await query(
      `mutation { updateQrCode(id: "${id}", input: { url: "https://example.com/b" }) ` +
        '{ qrCode { id } } }',
    );
    expect(await visit('/q/by-graphql')).toMatchObject(found('https://example.com/b'));
    const nodes = [{ code: 'by-graphql', url: 'https://example.com/b', status: 'active' }];
    expect(await query('{ qrCodes(first: 5) { nodes { code url status } } }')).toMatchObject({
      data: { qrCodes: { nodes } },
    });
    await query(`mutation { deleteQrCode(id: "${id}") { deletedId } }`);
    expect((await visit('/q/by-graphql')).status).toBe(404);
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
    const call = await mcpAdmin();
    const code = { name: 'Door', code: 'by-mcp', url: 'https://example.com/a' };
    const { structuredContent } = await call('create_qr_code', code);
    expect(structuredContent).toMatchObject({ short_url: 'https://svc.example/q/by-mcp' });
    expect(await visit('/q/by-mcp')).toMatchObject(found('https://example.com/a'));
    const evil = { ...code, code: 'other', url: 'javascript:alert(1)' };
    const refused = await call('create_qr_code', evil);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('http');
    expect((await visit('/q/other')).status).toBe(404);
  });

  it('creates an NFC tag without seeing its keys, and switches it off', async () => {
    const call = await mcpAdmin();
    const { structuredContent: tag } = await call('create_nfc_tag', {
      name: 'Door',
      chip: 'ntag424',
      mode: 'sun',
      code: 'by-mcp',
      action: 'page',
    });
    expect(tag).toMatchObject({ url: 'https://svc.example/n/by-mcp', key_version: 1 });
    expect(JSON.stringify(tag)).not.toMatch(/sealed|meta_key|file_key|v1\./);
    expect((await visit('/n/by-mcp')).status).toBe(403);
    const { id } = tag as { id: string };
    await call('update_nfc_tag', { id, changes: { active: false } });
    expect((await visit('/n/by-mcp')).status).toBe(410);
  });
});
