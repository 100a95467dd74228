import { beforeAll, describe, expect, it } from 'vitest';
import { nfcClient } from '../../areas/nfc/support.ts';
import { hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { personOf } from './pages.ts';

/**
 * A phone with Web NFC in place of the browser's: `written` is what a page has written, `onTag` is
 * what a tag holds when it is read.
 */
const webNfc = (behaviour: { refuses?: string; changes?: string }) => `
  globalThis.written = [];
  globalThis.NDEFReader = class extends EventTarget {
    async write(message) {
      const refuses = ${JSON.stringify(behaviour.refuses ?? '')};
      if (refuses) throw new DOMException('', refuses);
      globalThis.written.push(message);
    }
    async scan() {
      const url = globalThis.written.at(-1).records[0].data;
      const [from, to] = ${JSON.stringify((behaviour.changes ?? '>').split('>'))};
      const data = new DataView(new TextEncoder().encode(url.replace(from, to)).buffer);
      const event = new Event('reading');
      event.message = { records: [{ recordType: 'url', data }] };
      setTimeout(() => this.dispatchEvent(event));
    }
  };`;

describe.skipIf(!hasBrowser)('the page that writes NFC tags', () => {
  const browser = useConsole();
  let admin: Record<string, string>;
  const ids = { plain: '', mirror: '', sun: '' };

  beforeAll(async () => {
    admin = (await personOf(browser.service.app, 'ada@example.com', ['admin'])).headers;
    const client = nfcClient(browser.service.app);
    ids.plain = (await client.create({ chip: 'ntag213', mode: 'plain' })).id;
    ids.mirror = (await client.create({ chip: 'ntag215', mode: 'mirror' })).id;
    ids.sun = (await client.create({ chip: 'ntag424_tt', mode: 'sun' })).id;
  });

  async function open(id: string, script?: string) {
    const page = await browser.visit(`nfc/${id}`, { as: admin });
    if (script !== undefined) await page.addInitScript(script);
    await page.getByRole('link', { name: 'Write tag' }).click();
    await page.getByRole('heading', { level: 1, name: 'Write tag' }).waitFor();
    return page;
  }

  describe('in each view', () => {
    const visit = browser.usePage(() => admin);

    it.each(['plain', 'mirror', 'sun'] as const)(
      'is accessible and fits the window, for a tag with a %s URL',
      async (mode) => {
        expect(await viewFaults(await visit(`nfc/${ids[mode]}/write`))).toEqual([]);
      },
    );

    it.each([
      'nfc',
      'nfc/new',
      'nfc/new?chip=ntag213',
      'nfc/new?chip=ntag424',
      'nfc/alarms',
      'nfc/:id',
      'nfc/:id/alarms',
      'nfc/:id/settings',
    ])('so is /%s', async (path) => {
      const page = await visit(path.replace(':id', ids.sun));
      expect(await viewFaults(page, { picture: `nfc-${path}` })).toEqual([]);
    });
  });

  it('follows a sticker that is added in three clicks from the list', async () => {
    const page = await browser.visit('nfc', { as: admin });
    const clicks = countClicks();
    const click = (role: 'link' | 'button', name: string) =>
      clicks(page.getByRole(role, { name }).first());
    await click('link', 'Add tag');
    await click('link', 'Sticker');
    await page.getByLabel('Name').fill('Table 4');
    await page.getByRole('textbox', { name: 'Web address' }).fill('cafe.example/menu');
    await click('button', 'Create tag');
    await page.getByRole('heading', { level: 1, name: 'Write tag' }).waitFor();
    expect(clicks.count()).toBeLessThanOrEqual(4);
    await page.getByText('Scan this code with an Android phone.').waitFor();
    expect(await page.locator('.stepper [aria-current=step]').innerText()).toContain('Write it');
    await page.getByRole('link', { name: 'Show tag' }).click();
    await page.getByRole('heading', { level: 1, name: 'Table 4' }).waitFor();
    expect(await page.getByLabel('Leads to').inputValue()).toBe('https://cafe.example/menu');
  });

  it('is paused from the page of a tag, which undoes it', async () => {
    const page = await browser.visit(`nfc/${ids.plain}`, { as: admin });
    await page.getByRole('switch').click();
    await page.getByText('Tag paused.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Tag resumed.').waitFor();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
  });

  it('says where it can’t write, and shows no button', async () => {
    const page = await open(ids.plain);
    await page.getByText('Scan this code with an Android phone').waitFor();
    expect(await page.getByRole('button', { name: 'Write tag' }).count()).toBe(0);
  });

  it('writes the URL, and reads it back', async () => {
    const page = await open(ids.plain, webNfc({}));
    expect(await page.getByText('Scan this code').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    const button = page.getByRole('button', { name: 'Write tag' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Done. The tag has the URL.').waitFor();
    const [message] = await page.evaluate<{ records: { data: string }[] }[]>('written');
    expect(message?.records[0]?.data).toMatch(/\/n\/[\w-]{8}$/);
    expect(await button.isEnabled()).toBe(true);
  });

  it('accepts what the chip mirrors in place of the zeros', async () => {
    const page = await open(
      ids.mirror,
      webNfc({ changes: '00000000000000x000000>04AABBCCDDEE80x00000A' }),
    );
    await page.getByRole('button', { name: 'Write tag' }).click();
    await page.getByText('Done. The tag has the URL.').waitFor();
  });

  it('says when the tag holds something else, and when the browser refuses', async () => {
    const other = await open(ids.plain, webNfc({ changes: '/n/>/x/' }));
    await other.getByRole('button', { name: 'Write tag' }).click();
    await other.getByText('The tag has a different URL').waitFor();
    for (const [refuses, text] of [
      ['NotAllowedError', 'This browser isn’t allowed to use NFC'],
      ['NotSupportedError', 'This phone has no NFC'],
      ['NetworkError', 'We couldn’t write to the tag'],
    ] as const) {
      const page = await open(ids.plain, webNfc({ refuses }));
      await page.getByRole('button', { name: 'Write tag' }).click();
      await page.getByText(text).waitFor();
    }
  });
});
