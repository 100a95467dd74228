import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest();
});
afterAll(() => client.close());

const origin = { origin: 'https://shop.example' };
const ingest: [method: 'GET' | 'POST', url: string][] = [
  ['POST', '/analytics/track/'],
  ['POST', '/analytics/batch'],
  ['GET', '/analytics/pixel.gif'],
];
const closed: [method: 'GET' | 'POST', url: string][] = [
  ['GET', '/analytics/dashboard/'],
  ['POST', '/analytics/export/events/'],
  ['GET', '/analytics/sites'],
  ['GET', '/api/v1/api-keys'],
];

describe('pages of any origin', () => {
  it.each(ingest)('may call %s %s without credentials', async (method, url) => {
    const preflight = await client.ask('OPTIONS', url, {
      ...origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-max-age': '86400',
    });
    expect(String(preflight.headers['access-control-allow-methods'])).toContain(method);
    expect(String(preflight.headers['access-control-allow-headers'])).toMatch(
      /content-type.*content-encoding/,
    );
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each([
    ['a good event', { event: 'a', url: '/', site_id: newSite() }, 200],
    ['a bad event', { event: 'a' }, 422],
    ['a body that is too large', { x: 'x'.repeat(70_000) }, 413],
  ])('can read the answer to %s', async (_, payload, status) => {
    const answer = await client.ask('POST', '/analytics/track/', origin, payload);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each(closed)('may not read %s %s, even with a key', async (method, url) => {
    for (const headers of [origin, { ...origin, ...asAdmin }]) {
      const answer = await client.ask(method, url, headers);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    }
    const preflight = await client.ask('OPTIONS', url, {
      ...origin,
      'access-control-request-method': method,
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('other methods', () => {
  it.each(['/analytics/track/', '/analytics/batch/'])('of %s get 405 with Allow', async (url) => {
    const answer = await client.ask('GET', url);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, OPTIONS');
  });
});
