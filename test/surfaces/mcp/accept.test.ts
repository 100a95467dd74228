import { describe, expect } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { ask, sendText } from './client.ts';

const app = await sharedApp();

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];

/** The status of a message of a revision with sessions. */
const statusFor = async (accept: string | undefined, version: string): Promise<number> =>
  (
    await sendText(app, ping, {
      headers: { ...asAdmin, accept, 'mcp-protocol-version': version },
    })
  ).status;

describe('a client of the Model Context Protocol', () => {
  it.each([
    undefined,
    '*/*',
    'application/*, text/*',
    'application/json, */*',
    'application/json, */*;q=0.1',
    'APPLICATION/JSON, TEXT/EVENT-STREAM',
    ' text/event-stream ;q=0.5,application/json;q=0.1 ',
  ])('may send Accept: %s, in every revision', async (accept) => {
    for (const version of versions) expect(await statusFor(accept, version), version).toBe(200);
    const newest = await ask(app, 'tools/list', {}, { headers: { ...asAdmin, accept } });
    expect(newest.status).toBe(200);
  });

  it.each([
    'text/html',
    'application/json',
    'text/event-stream',
    'application/json;q=0, text/event-stream',
    '*/*, text/event-stream;q=0',
  ])('gets 406 for Accept: %s in the revisions that need both types', async (accept) => {
    for (const version of versions) expect(await statusFor(accept, version), version).toBe(406);
  });
});
