import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { faultsOf, personOf } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const { text } = await admin.page('settings');
const inputs = [...text.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
const inputOf = (id: string) => inputs.find((each) => each.includes(` id="${id}"`)) ?? '';

describe('The page of the brand', () => {
  it('takes the accent as a hex value, which the browser checks, or from a picker', async () => {
    expect(await faultsOf(text)).toEqual([]);
    const [, value = '', pattern = ''] =
      /value="([^"]*)".*pattern="([^"]*)"/.exec(inputOf('accent')) ?? [];
    const accepted = new RegExp(`^(?:${pattern})$`, 'v');
    expect(value).toMatch(accepted);
    for (const other of ['1f5fe0', '#1f5', '#1f5fe0ff', '#gggggg', 'blue'])
      expect(other).not.toMatch(accepted);
    expect(inputOf('accent-picker')).toContain('type="color"');
    expect(inputOf('accent-picker')).toContain(`value="${value}"`);
    expect(text).toMatch(/id="accent-note"[^>]*>White text on this color is/);
  });

  it('previews the site, mails, the page of a QR code and of the status, the first at once', () => {
    const chips = inputs.filter((each) => each.includes('name="preview"'));
    const values = chips.map((chip) => /value="([^"]*)"/.exec(chip)?.[1]);
    expect(values).toEqual(['site', 'email', 'qr', 'status']);
    expect(chips.map((chip) => chip.includes(' checked'))).toEqual([true, false, false, false]);
    // Each chip has its sample in light and in dark.
    for (const value of values) expect(text.split(`brand-of-${value}`)).toHaveLength(3);
  });
});
