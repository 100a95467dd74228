import type { LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asBrowser, faultsOf, origin, personOf } from '../surfaces/console/pages.ts';
import { buildTestApp, type FreshApp } from '../support/app.ts';

let app: FreshApp;
beforeAll(async () => {
  app = await buildTestApp({
    env: { DEVICE_BINDING: 'none', BASE_URL: origin, CONTACT_EMAIL: 'help@example.com' },
  });
});
afterAll(() => app.close());

type Headers = Record<string, string>;

const id = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const pathOf = ({ url }: RouteOptions): string => url.replace(/:\w+/g, id).replace(/(?<=.)\/$/, '');
const fromOurPage = {
  'content-type': 'application/x-www-form-urlencoded',
  origin,
  host: '127.0.0.1:3000',
  'sec-fetch-site': 'same-origin',
};

const get = (url: string, headers: Headers): Promise<LightMyRequestResponse> =>
  app.http.inject({ url, headers: { ...headers, ...asBrowser } });
const post = (url: string, headers: Headers): Promise<LightMyRequestResponse> =>
  app.http.inject({
    method: 'POST',
    url,
    payload: '',
    headers: { ...headers, ...asBrowser, ...fromOurPage },
  });

/** Returns the link targets in a page's main element. */
const linksOn = (page: string): string[] =>
  [
    ...(/<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? '').matchAll(/<a [^>]*href="([^"]*)"/g),
  ].map(([, href = '']) => href);

/** Requests every page and form. Returns those that answer 403, as this user lacks a role. */
async function refusals(headers: Headers): Promise<{ name: string; page: string }[]> {
  const found: { name: string; page: string }[] = [];
  for (const route of app.http.registeredRoutes.filter(
    ({ config }) => config?.errorPages !== undefined,
  )) {
    const methods = [route.method].flat().filter((method) => method !== 'HEAD');
    if (methods.length === 0) continue;
    const url = pathOf(route);
    // Signing out would end the session.
    if (url.startsWith('/account/') && methods.includes('POST') && !url.includes('/requests/'))
      continue;
    const answer = methods.includes('POST') ? await post(url, headers) : await get(url, headers);
    if (answer.statusCode === 403)
      found.push({ name: `${methods.join()} ${url}`, page: answer.body });
  }
  return found;
}

describe('a page that refuses a person whose account lacks a role', () => {
  it.each([
    ['no role', 'nora@example.com', [] as const, 40],
    ['only the viewer role', 'vic@example.com', ['viewer'] as const, 30],
  ])(
    'offers a visitor with %s working links, the contact address and a way to sign out',
    async (_name, email, roles, minPages) => {
      const { headers } = await personOf(app, email, roles);
      const pages = await refusals(headers);
      const faults: string[] = [];
      for (const { name, page } of pages) {
        const links = linksOn(page);
        for (const required of ['/account', '/', 'mailto:help@example.com'])
          if (!links.includes(required)) faults.push(`${name}: no link to ${required}`);
        if (!/<form [^>]*method="post" action="\/account\/sign-out">/.test(page))
          faults.push(`${name}: no way to sign out`);
        for (const link of links.filter((each) => each.startsWith('/'))) {
          const { statusCode } = await get(link, headers);
          if (statusCode !== 200)
            faults.push(`${name}: leads to ${link}, which answers ${statusCode}`);
        }
      }
      expect(faults).toEqual([]);
      expect(pages.length).toBeGreaterThan(minPages);
      expect(pages.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['GET /account/devices/requests', 'GET /api/svc/console/users']),
      );
    },
    60_000,
  );

  it('says that a role is missing, is not cached and is valid HTML', async () => {
    const { headers } = await personOf(app, 'nora@example.com');
    const { statusCode, body, headers: answered } = await get('/api/svc/console/', headers);
    expect([statusCode, answered['cache-control']]).toEqual([403, 'no-store']);
    expect(body).toContain('Your account doesn’t have the role this page requires');
    expect(await faultsOf(body)).toEqual([]);
  });
});
