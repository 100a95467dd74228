import { expect } from 'vitest';
import { hourMs, minuteMs } from '../../../src/lib/durations.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

/** Events of a few days of a small shop; the last ones are some minutes old. */
export function shopEvents(now: number): object[] {
  const countries = ['DE', 'DE', 'US', 'FR'];
  const pages = ['/', '/pricing', '/signup', '/docs'];
  return Array.from({ length: 240 }, (_, at) => {
    const ago = 2 * minuteMs + (at % 60) * 2 * hourMs + Math.floor(at / 60) * minuteMs;
    const signup = {
      event: 'signup',
      revenue: { amount: '19.00', currency: 'EUR' },
      props: { plan: at % 24 === 2 ? 'pro' : 'free' },
    };
    return {
      site_id: 'shop.example',
      url: `https://shop.example${pages[(at * 7) % pages.length] ?? '/'}`,
      timestamp: new Date(now - ago).toISOString(),
      visitor_id: (at % 37).toString(16).padStart(16, '0'),
      country: countries[at % 4],
      browser: at % 3 === 0 ? 'Firefox' : 'Chrome',
      os: 'Linux',
      device: 'desktop',
      language: 'de',
      ...(at % 5 === 0 ? { user_id: `user-${at % 20}` } : {}),
      ...(at % 9 === 0 ? { referrer: 'https://news.ycombinator.com/' } : {}),
      ...(at % 12 === 2 ? signup : { event: 'pageview' }),
    };
  });
}

/** Sends events with the admin's key, and waits until the figures include them. */
export async function send(app: TestApp, events: readonly object[]): Promise<void> {
  const { body } = await new TestClient(app).as(asAdmin).post('/analytics/batch/', { events });
  expect(body).toMatchObject({ accepted: events.length });
  await app.applied();
}
