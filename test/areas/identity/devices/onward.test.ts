import { describe, expect } from 'vitest';
import type { DeviceBrowser } from '../../../support/devices.ts';
import { it } from '../../../support/test.ts';
import { useDevices } from './support.ts';

const consoleHome = '/api/svc/console/';
const lab = await useDevices();

async function linksOn(browser: DeviceBrowser, url: string): Promise<string[]> {
  const { status, text } = await browser.call(url, { prove: false });
  expect(status, url).toBe(200);
  return [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
}

describe('the link to the next page, once a device is cleared', () => {
  it.each(['admin', 'viewer'] as const)(
    'leads a user with the role %s to the console, which opens only then',
    async (role) => {
      const browser = await lab.signedIn({ roles: [role] });
      expect(await linksOn(browser, '/account/devices')).not.toContain(consoleHome);
      const asked = await browser.ask();
      expect(await linksOn(browser, '/account/devices?done=asked')).not.toContain(consoleHome);
      await lab.clear(asked);
      expect(await linksOn(browser, '/account/devices?done=asked')).toContain(consoleHome);
      expect(await browser.call(consoleHome, { prove: false })).toMatchObject({ status: 200 });
    },
  );

  it('leads back to the requested page', async () => {
    const { browser } = await lab.cleared();
    const place = `${consoleHome}analytics?site_id=shop`;
    const links = await linksOn(browser, `/account/devices?next=${encodeURIComponent(place)}`);
    expect(links).toContain(place);
    expect(links).not.toContain(consoleHome);
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example/'])(
    'never leads to another origin: %s',
    async (foreign) => {
      const { browser } = await lab.cleared();
      const links = await linksOn(browser, `/account/devices?next=${encodeURIComponent(foreign)}`);
      expect(links.join(' ')).not.toContain('evil');
      expect(links).toContain(consoleHome);
    },
  );

  it('is not offered to a user without a role, whose cleared device opens nothing', async () => {
    const { browser } = await lab.cleared({ roles: [] });
    for (const url of ['/account/devices', '/account'])
      expect(await linksOn(browser, url)).not.toContain(consoleHome);
  });

  it('appears where an approval is granted, and on the account page', async () => {
    const { browser } = await lab.cleared();
    for (const url of ['/account/devices/requests?done=approved', '/account'])
      expect(await linksOn(browser, url)).toContain(consoleHome);
    const { browser: viewer } = await lab.cleared({ roles: ['viewer'] });
    expect(await linksOn(viewer, '/account')).toContain(consoleHome);
  });
});
