import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { useConsole } from './browser.ts';
import { personOf } from './pages.ts';

interface Measured {
  /** Widths of the first cells, in pixels. */
  names: number[];
  outside: number;
  scrolls: boolean;
}

const phone = { width: 390, height: 844 };

describe.skipIf(!hasBrowser)('the console on a phone', () => {
  const browser = useConsole({ expected: /status of (?:404|409|422)/, runsJobs: true });
  let admin: Record<string, string>;

  beforeAll(async () => {
    const { app } = browser.service;
    admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
    for (const name of ['grace', 'katherine.johnson-of-a-long-department'])
      await personOf(app, `${name}@department.example.com`, ['viewer']);
  });

  const open = async (path: string) => {
    const page = await browser.visit(path, { as: admin });
    await page.setViewportSize(phone);
    return page;
  };

  it.each(['users', 'jobs', 'status', 'keys', 'realtime', 'waitlist/entries', 'devices'])(
    'shows the rows of %s as cards: no letters in a column, nothing out of sight',
    async (path) => {
      const page = await open(path);
      const measured = await page.evaluate<Measured>(`({
        names: [...document.querySelectorAll('.table-cards tbody th')].map(
          (name) => name.getBoundingClientRect().width,
        ),
        outside: [...document.querySelectorAll('.table-cards td')].filter(
          (cell) => cell.getBoundingClientRect().right > innerWidth,
        ).length,
        scrolls: document.documentElement.scrollWidth > innerWidth,
      })`);
      expect(measured.names.filter((width) => width < 140)).toEqual([]);
      expect(measured.outside).toBe(0);
      expect(measured.scrolls).toBe(false);
    },
  );

  it('keeps the rows a table for screen readers', async () => {
    const page = await open('users');
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const count = (role: string) => nodes.filter((node) => node.role?.value === role).length;
    expect(count('table')).toBe(1);
    expect(count('row')).toBe(4);
    expect(count('rowheader')).toBe(3);
    expect(count('columnheader')).toBe(6);
  });

  it('offers what can be done with ticked people, and lets go of them', async () => {
    const page = await open('users');
    const bar = page.locator('.bulk-bar');
    expect(await bar.isVisible()).toBe(false);
    const boxes = page.locator('tbody input[type=checkbox]');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    expect(await bar.locator('.ticked').innerText()).toBe('2 selected');
    expect(await bar.getByRole('button', { name: 'Suspend' }).isVisible()).toBe(true);
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await bar.waitFor({ state: 'hidden' });
    expect(await page.locator('tbody :checked').count()).toBe(0);
  });

  it('says the day in a word; seconds and zone are the title', async () => {
    const page = await open('users');
    const time = page.locator('tbody time').first();
    expect(await time.innerText()).toMatch(/^(?:Today|Yesterday), \d\d:\d\d$/);
    expect(await time.getAttribute('title')).toMatch(
      /^\w{3}, \w{3} \d{1,2}, \d{4}, \d\d:\d\d:\d\d \S+$/,
    );
  });

  it('offers it without JavaScript too', async () => {
    const page = await browser.visit('users', { as: admin, javaScriptEnabled: false });
    await page.locator('tbody input[type=checkbox]').first().check();
    expect(await page.locator('.bulk-bar').isVisible()).toBe(true);
  });
});
