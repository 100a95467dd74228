import { describe, expect } from 'vitest';
import { faultsOf, personOf } from '../surfaces/console/pages.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { asBrowser, asForm } from './sweep/negotiation.ts';
import { methodsOf, urlOf, withoutSlash } from './sweep/routes.ts';
import { type Answer, checkEach, createSweep, type Headers } from './sweep/sweep.ts';

const sweep = createSweep(await sharedApp('people'));

const get = (url: string, headers: Headers): Promise<Answer> =>
  sweep.ask({ url, headers: { ...headers, ...asBrowser } });
const post = (url: string, headers: Headers): Promise<Answer> =>
  sweep.ask({ method: 'POST', url, payload: '', headers: { ...headers, ...asForm } });

/** Returns the link targets in a page's main element. */
const linksOn = (page: string): string[] =>
  [
    ...(/<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? '').matchAll(/<a [^>]*href="([^"]*)"/g),
  ].map(([, href = '']) => href);

/** Requests every page and form. Returns those that answer 403, as this user lacks a role. */
async function refusals(headers: Headers): Promise<{ name: string; page: string }[]> {
  const found: { name: string; page: string }[] = [];
  for (const route of sweep.routes.filter(({ config }) => config?.errorPages !== undefined)) {
    const methods = methodsOf(route).filter((method) => method !== 'HEAD');
    if (methods.length === 0) continue;
    const url = withoutSlash(urlOf(route));
    // Signing out would end the session.
    if (url.startsWith('/account/') && methods.includes('POST') && !url.includes('/requests/'))
      continue;
    const answer = methods.includes('POST') ? await post(url, headers) : await get(url, headers);
    if (answer.status === 403) found.push({ name: `${methods.join()} ${url}`, page: answer.body });
  }
  return found;
}

/** Returns the links that a page lacks, and those that lead to no page of this user. */
async function faultsOfLinks(page: string, headers: Headers): Promise<string[]> {
  const links = linksOn(page);
  const missing = ['/account', '/', 'mailto:help@example.com'].filter(
    (required) => !links.includes(required),
  );
  const dead = await checkEach(
    links.filter((link) => link.startsWith('/')),
    async (link) => {
      const { status } = await get(link, headers);
      return status === 200 ? [] : [`leads to ${link}, which answers ${status}`];
    },
  );
  return [...missing.map((link) => `no link to ${link}`), ...dead];
}

describe('a page that refuses a person whose account lacks a role', () => {
  it.each([
    ['no role', 'nora@example.com', [] as const, 40],
    ['only the viewer role', 'vic@example.com', ['viewer'] as const, 30],
  ])(
    'offers a visitor with %s working links, the contact address and a way to sign out',
    async (_name, email, roles, minPages) => {
      const { headers } = await personOf(sweep.app, email, roles);
      const pages = await refusals(headers);
      const faults = await checkEach(pages, async ({ name, page }) => {
        const canSignOut = /<form [^>]*method="post" action="\/account\/sign-out">/.test(page);
        return [
          ...(await faultsOfLinks(page, headers)),
          ...(canSignOut ? [] : ['no way to sign out']),
        ].map((fault) => `${name}: ${fault}`);
      });
      expect(faults).toEqual([]);
      expect(pages.length).toBeGreaterThan(minPages);
      expect(pages.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['GET /account/devices/requests', 'GET /api/svc/console/users']),
      );
    },
    60_000,
  );

  it('says that a role is missing, is not cached and is valid HTML', async () => {
    const { headers } = await personOf(sweep.app, 'nora@example.com');
    const { status, headers: answered, body } = await get('/api/svc/console/', headers);
    expect({ status, cache: answered['cache-control'] }).toEqual({
      status: 403,
      cache: 'no-store',
    });
    expect(body).toContain('Your account doesn’t have the role this page requires');
    expect(await faultsOf(body)).toEqual([]);
  });
});
