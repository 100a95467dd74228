import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, widthOf } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { enterEmail } from '../pages/sign-in-page.ts';
import { useConsole } from './browser.ts';
import { home } from './pages.ts';

const [boss, guest, stranger] = ['boss@example.com', 'grace@example.com', 'nobody@example.com'];

describe.skipIf(!hasBrowser)('building a team, in a real browser', () => {
  const browser = useConsole({
    env: { SIGN_UP: 'invitation', ADMIN_EMAILS: boss },
    runsJobs: true,
    // The browser reports the status of refused pages.
    expected: /status of 403/,
  });
  const { service } = browser;

  async function linkFor(email: string): Promise<string> {
    const { text } = await new TestClient(service.app).mailTo(email);
    return /http\S+\/invitation\?token=[\w-]+/.exec(text)?.[0] ?? expect.fail(text);
  }

  /** Expects that a page fits a narrow window. */
  async function expectToFit(page: Page): Promise<void> {
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await widthOf(page)).toBeLessThanOrEqual(320);
  }

  it('invite, accept, ask for approval, approve: the second admin is in the console', async () => {
    const admin = await browser.newPage();
    await enterEmail(service, admin, boss, home);
    await admin.getByRole('button', { name: 'Request approval' }).click();
    await admin.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await admin.goto(`${home}users`);

    const click = countClicks();
    await click(admin.getByRole('link', { name: 'Invite', exact: true }));
    await admin.getByLabel('Email addresses').fill(guest);
    await click(admin.getByLabel('Admin', { exact: true }));
    expect(await axeViolations(admin)).toEqual([]);
    await click(admin.getByRole('button', { name: 'Send invitations' }));
    await admin.getByText('Invitation sent.').waitFor();
    expect(click.count()).toBeLessThanOrEqual(3);
    const row = admin.locator('tr', { hasText: guest });
    expect(await row.innerText()).toContain('Pending');
    expect(await axeViolations(admin)).toEqual([]);
    await expectToFit(admin);
    await admin.setViewportSize({ width: 1280, height: 900 });

    const grace = await browser.newPage();
    await grace.goto(await linkFor(guest));
    await grace.getByRole('heading', { name: 'You’re invited to Platform Service' }).waitFor();
    expect(await axeViolations(grace)).toEqual([]);
    await expectToFit(grace);
    await grace.getByRole('button', { name: 'Accept invitation' }).click();
    await grace
      .getByText('One more step: an admin needs to approve this browser.')
      .first()
      .waitFor();
    await grace.getByRole('button', { name: 'Request approval' }).click();
    const number = await grace.locator('p.number').first().innerText();

    await admin.goto(`${home}devices`);
    const request = admin.locator('#queue tr', { hasText: guest });
    await request.getByRole('link', { name: 'Review' }).click();
    await admin.getByLabel('Number shown on the device').fill(number.trim());
    await admin.getByRole('button', { name: 'Approve' }).click();
    await admin.getByText('Device approved.').waitFor();

    // Her page may be on its way there by itself.
    await grace.goto(home).catch(() => undefined);
    await grace.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await grace.goto(`${home}users`);
    await grace.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await grace.goto('/account');
    await grace.getByRole('link', { name: 'Open console' }).waitFor();
  }, 120_000);

  it('a person without a role is told whom to ask, with links to other pages only', async () => {
    const identity = { kind: 'email', key: stranger, value: stranger } as const;
    await service.app.services.users.signInAs(identity, { isVouched: true });
    const page = await browser.newPage();
    await enterEmail(service, page, stranger, home);
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('ask an admin for the role');
    const links = await page
      .locator('main a')
      .evaluateAll((all: { href?: string }[]) => all.map(({ href = '' }) => href));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((href) => href.includes('/svc/console'))).toEqual([]);
    await page.goto('/account');
    expect(await page.getByRole('link', { name: 'Open console' }).count()).toBe(0);
  }, 60_000);
});
