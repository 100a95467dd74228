import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import {
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
} from '../../support/devices.ts';

const consoleHome = '/api/svc/console/';
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices');
});

async function linksOn(browser: DeviceBrowser, url: string): Promise<string[]> {
  const { status, body } = await browser.call(url, { prove: false });
  expect({ url, status }).toEqual({ url, status: 200 });
  return [...String(body.text).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
}

describe('the link to the next page, once a device is cleared', () => {
  it.each(['admin', 'viewer'] as const)(
    'leads a user with the role %s to the console, which opens only then',
    async (role) => {
      const browser = createDeviceBrowser(app);
      await browser.signIn({ email: `${role}@example.com`, roles: [role] });
      expect(await linksOn(browser, '/account/devices')).not.toContain(consoleHome);
      const asked = await browser.ask();
      expect(await linksOn(browser, '/account/devices?done=asked')).not.toContain(consoleHome);
      await clearByKey(app, asked, asAdmin.authorization);
      expect(await linksOn(browser, '/account/devices?done=asked')).toContain(consoleHome);
      expect((await browser.call(consoleHome, { prove: false })).status).toBe(200);
    },
  );

  it('leads back to the requested page, and never to another origin', async () => {
    const { browser } = await clearedOn(app, { email: 'going@example.com' });
    const place = `${consoleHome}analytics?site_id=shop`;
    const links = await linksOn(browser, `/account/devices?next=${encodeURIComponent(place)}`);
    expect({ first: links.includes(place), second: links.includes(consoleHome) }).toEqual({
      first: true,
      second: false,
    });
    for (const foreign of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      const safe = await linksOn(browser, `/account/devices?next=${encodeURIComponent(foreign)}`);
      expect({
        foreign,
        safe: safe.filter((link) => link.includes('evil')),
        includes: safe.includes(consoleHome),
      }).toEqual({ foreign, safe: [], includes: true });
    }
  });

  it('is not offered to a user without a role, whose cleared device opens nothing', async () => {
    const browser = createDeviceBrowser(app);
    await browser.signIn({ email: 'nobody@example.com' });
    await clearByKey(app, await browser.ask(), asAdmin.authorization);
    for (const url of ['/account/devices', '/account'])
      expect(await linksOn(browser, url)).not.toContain(consoleHome);
  });

  it('appears where a clearance is granted, and on the account page', async () => {
    const { browser } = await clearedOn(app, { email: 'granting@example.com' });
    for (const url of ['/account/devices/requests?done=approved', '/account'])
      expect(await linksOn(browser, url)).toContain(consoleHome);
    const { browser: viewer } = await clearedOn(app, {
      email: 'looking@example.com',
      roles: ['viewer'],
    });
    expect(await linksOn(viewer, '/account')).toContain(consoleHome);
  });
});
