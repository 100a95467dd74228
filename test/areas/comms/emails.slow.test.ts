import { brandNamed } from '../../support/brand.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { logoContentId } from '../../../src/platform/ui/mail/mail.tsx';
import { markPicture } from '../../../src/platform/ui/mail/mark-picture.ts';
import { renderTemplate } from '../../../src/areas/comms/templates.ts';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { takePicture } from '../../support/browser/views.ts';
import { sampleEmails } from './sample-emails.ts';

const picture = `data:image/png;base64,${markPicture.toString('base64')}`;

const views = [
  { view: 'light', width: 720, colorScheme: 'light' },
  { view: 'dark', width: 720, colorScheme: 'dark' },
  { view: 'narrow', width: 320, colorScheme: 'light' },
] as const;

describe.skipIf(!hasBrowser)('emails in a browser', () => {
  const browser = useBrowser();

  it.each(views)(
    'fit into $view windows',
    async ({ view, width, colorScheme }) => {
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme,
      });
      for (const { name, template, params } of await sampleEmails()) {
        const html = renderTemplate(template, 'email', params, brandNamed('Acme')()).html?.() ?? '';
        // Mail programs find the picture in the mail.
        await page.setContent(html.replaceAll(`cid:${logoContentId}`, picture));
        // A text, because the types of this project have no DOM.
        const seen = z.object({ overflow: z.number(), ground: z.string() }).parse(
          await page.evaluate(`({
          overflow: document.documentElement.scrollWidth - window.innerWidth,
          ground: getComputedStyle(document.body).backgroundColor,
        })`),
        );
        const ground = colorScheme === 'dark' ? 'rgb(13, 14, 18)' : 'rgb(243, 244, 246)';
        expect(seen.overflow, name).toBeLessThanOrEqual(0);
        expect(seen.ground, name).toBe(ground);
        await takePicture(page, `mail-${name}-${view}`);
      }
    },
    120_000,
  );
});
