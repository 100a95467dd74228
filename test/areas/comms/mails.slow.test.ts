import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderTemplate } from '../../../src/areas/comms/templates.ts';
import { findChromium } from '../../surfaces/pages/chromium.ts';
import { sampleMails } from './sample-mails.ts';

const executablePath = findChromium();
/** Where to save pictures of all mails, to look at. */
const folder = process.env.MAIL_PICTURES;

const views = [
  { view: 'light', width: 720, colorScheme: 'light' },
  { view: 'dark', width: 720, colorScheme: 'dark' },
  { view: 'narrow', width: 320, colorScheme: 'light' },
] as const;

describe.skipIf(executablePath === undefined)('mails in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox'],
    });
    if (folder !== undefined) await mkdir(folder, { recursive: true });
  }, 60_000);
  afterAll(() => browser.close());

  it.each(views)(
    'fit into $view windows',
    async ({ view, width, colorScheme }) => {
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme,
      });
      for (const { name, template, params } of await sampleMails()) {
        await page.setContent(renderTemplate(template, 'email', params, 'Acme').html ?? '');
        // A text, because the types of this project have no DOM.
        const seen = z.object({ overflow: z.number(), ground: z.string() }).parse(
          await page.evaluate(`({
          overflow: document.documentElement.scrollWidth - window.innerWidth,
          ground: getComputedStyle(document.body).backgroundColor,
        })`),
        );
        const ground = colorScheme === 'dark' ? 'rgb(13, 14, 18)' : 'rgb(243, 244, 246)';
        expect([name, seen.overflow <= 0, seen.ground]).toEqual([name, true, ground]);
        if (folder !== undefined)
          await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
      }
      await page.close();
    },
    120_000,
  );
});
