import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { requestedContent } from '../../support/abuse.ts';
import { asAdmin } from '../../support/app.ts';
import { fromElsewhere, redirectTo } from '../../support/responses.ts';
import { consoleClient, type ConsoleClient, consoleRoutes, home, personOf } from './pages.ts';

const app = await sharedApp('console');
const stranger = consoleClient(app, {});
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);
const withoutRole = await personOf(app, 'nora@example.com');

const ofPrograms = { accept: 'application/json', 'sec-fetch-mode': 'cors' };

/** Requests every route of the console. Returns the responses with their routes. */
async function everyRoute(client: ConsoleClient, headers: Record<string, string> = {}) {
  const answers = [];
  for (const { method, url, isForm } of consoleRoutes(app)) {
    const response = isForm
      ? await client.form(url, { a: 'b' }, { headers })
      : await client.page(url, { headers });
    answers.push({ route: `${method} ${url}`, url, isForm, response });
  }
  return answers;
}

/** All stored rows, except in tables that also change when people only use the service. */
async function storedContent(): Promise<string> {
  const content = await requestedContent(app);
  return JSON.stringify([...content].filter(([name]) => !['users', 'audit_events'].includes(name)));
}

describe('access to the console', () => {
  it('redirects browsers without a session to the sign-in page, with the way back', async () => {
    for (const { route, url, isForm, response } of await everyRoute(stranger))
      expect(response, route).toMatchObject(
        redirectTo(`/login?next=${encodeURIComponent(isForm ? home : url)}`),
      );
  });

  it('answers programs with a problem document', async () => {
    for (const { response } of await everyRoute(stranger, ofPrograms))
      expect(response).toBeProblem(401, 'request.unauthenticated');
    for (const { route, response } of await everyRoute(stranger, { ...ofPrograms, ...asAdmin }))
      expect(response.status, route).toBe(401);
    const refused = await withoutRole.program.get(home);
    expect(refused).toBeProblem(403, 'request.forbidden');
    expect(refused.body).toMatchObject({ required_role: 'viewer' });
  });

  it('tells a person without a role to ask an admin, and names no admins', async () => {
    const { status, text } = await withoutRole.page('');
    expect(status).toBe(403);
    expect(text).toContain('ask an admin for the role');
    expect(text).not.toContain('ada@example.com');
  });

  it('lets viewers change nothing, and hides the pages of admins from them', async () => {
    const before = await storedContent();
    // Everyone with a role may search, and publish to the test channel.
    for (const { route, isForm, response } of await everyRoute(viewer))
      if (isForm && !route.endsWith('/realtime/publish') && !route.endsWith('/console/search'))
        expect(response.status, route).toBe(403);
    expect(await storedContent()).toBe(before);
    const overview = await viewer.page('');
    expect(overview.status).toBe(200);
    expect(overview.text).toContain('>Viewer<');
    for (const hidden of ['users', 'devices', 'jobs', 'keys', 'audit', 'settings']) {
      expect(overview.text).not.toContain(`href="${home}${hidden}"`);
      expect((await viewer.page(hidden)).status).toBe(403);
    }
  });

  it('refuses forms from other sites, and changes nothing', async () => {
    const before = await storedContent();
    for (const { url } of consoleRoutes(app).filter(({ isForm }) => isForm)) {
      const answer = await admin.form(url, { a: 'b' }, { headers: fromElsewhere });
      expect(answer.status, url).toBe(403);
    }
    expect(await storedContent()).toBe(before);
  });

  it('answers no page and no empty form with a 5xx', async () => {
    for (const { route, response } of await everyRoute(admin))
      expect(response.status, `${route} ${response.text.slice(0, 300)}`).toBeLessThan(500);
  });

  it('forbids caching, framing and scripts of other origins', async () => {
    const { headers } = await admin.page('');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self';(?!.*unsafe).*frame-ancestors 'none'$/,
    );
  });
});

describe('a device that is not cleared', () => {
  it('redirects browsers to the page of their device, and sends programs a problem', async () => {
    const strict = await sharedApp('devices');
    const person = await personOf(strict, 'ada@example.com', ['admin']);
    const devicePage = (next: string) => `/account/devices?next=${encodeURIComponent(next)}`;
    for (const { url } of consoleRoutes(strict).filter(({ isForm }) => !isForm))
      expect(await person.page(url), url).toMatchObject(redirectTo(devicePage(url)));
    const { text } = await person.page(devicePage(home));
    expect(text).toContain('One more step: an admin needs to approve this browser.');
    expect(text).toContain('Request approval');
    const refused = await person.program.get(home);
    expect(refused).toBeProblem(403, 'blackops.device_not_cleared');
    expect(refused.body).toMatchObject({ requirements: ['clearance'] });
  });
});
