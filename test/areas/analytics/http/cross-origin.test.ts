import { describe, expect } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { it } from '../../../support/test.ts';
import { batch, exportUrl, newSite, track, useSharedAnalytics, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const origin = { origin: 'https://shop.example' };
const preflight = (method: string, url: string) =>
  analytics.tracker.send('OPTIONS', url, undefined, {
    headers: {
      ...origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  });

describe('a page of any origin', () => {
  it.each([
    ['POST', track],
    ['POST', '/analytics/batch'],
    ['GET', '/analytics/pixel.gif'],
  ])('may call %s %s without credentials', async (method, url) => {
    const { status, headers } = await preflight(method, url);
    expect({ status, headers }).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-max-age': '86400',
        'access-control-allow-methods': expect.stringContaining(method) as string,
        'access-control-allow-headers': expect.stringMatching(
          /content-type.*content-encoding/,
        ) as string,
      },
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each([
    ['a good event', view(newSite()), 200],
    ['a bad event', { event: 'a' }, 422],
    ['a body that is too large', { x: 'x'.repeat(70_000) }, 413],
  ])('can read the answer to %s', async (_, payload, expected) => {
    const { status, headers } = await analytics.tracker.as(origin).post(track, payload);
    expect({ status, headers }).toMatchObject({
      status: expected,
      headers: {
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each([
    ['GET', '/analytics/dashboard/'],
    ['POST', exportUrl],
    ['GET', '/analytics/sites'],
    ['GET', '/api/v1/api-keys'],
  ] as const)('may not read %s %s, even with a key', async (method, url) => {
    for (const headers of [origin, { ...origin, ...asAdmin }]) {
      const answer = await analytics.tracker.as(headers).send(method, url);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    }
    expect((await preflight(method, url)).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

it.each([track, batch])('%s answers other methods with 405 and Allow', async (url) => {
  expect(await analytics.tracker.get(url)).toMatchObject({
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  });
});
