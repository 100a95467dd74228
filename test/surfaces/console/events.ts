import type { TestApp } from '../../support/app.ts';
import { asAdmin } from '../../support/app.ts';

/** Events of a few days of a small shop; the last ones are some minutes old. */
export function shopEvents(now: number): object[] {
  const countries = ['DE', 'DE', 'US', 'FR'];
  const pages = ['/', '/pricing', '/signup', '/docs'];
  const hour = 3_600_000;
  return Array.from({ length: 240 }, (_, at) => {
    const time = new Date(
      now - 120_000 - (at % 60) * 2 * hour - Math.floor(at / 60) * 60_000,
    ).toISOString();
    const visitor = (at % 37).toString(16).padStart(16, '0');
    const page = pages[(at * 7) % pages.length] ?? '/';
    const event =
      at % 12 === 2
        ? {
            event: 'signup',
            revenue: { amount: '19.00', currency: 'EUR' },
            props: { plan: at % 24 === 2 ? 'pro' : 'free' },
          }
        : { event: 'pageview' };
    return {
      site_id: 'shop.example',
      url: `https://shop.example${page}`,
      timestamp: time,
      visitor_id: visitor,
      country: countries[at % 4],
      browser: at % 3 === 0 ? 'Firefox' : 'Chrome',
      os: 'Linux',
      device: 'desktop',
      language: 'de',
      ...(at % 5 === 0 ? { user_id: `user-${at % 20}` } : {}),
      ...(at % 9 === 0 ? { referrer: 'https://news.ycombinator.com/' } : {}),
      ...event,
    };
  });
}

/** Sends events with the admin's key, and waits until the figures include them. */
export async function send(app: TestApp, events: readonly object[]): Promise<void> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/analytics/batch/',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    payload: JSON.stringify({ events }),
  });
  const { accepted } = answer.json<{ accepted: number }>();
  if (accepted !== events.length)
    throw new Error(
      `${accepted} of ${events.length} events were taken: ${answer.body.slice(0, 500)}`,
    );
  await app.applied();
}
