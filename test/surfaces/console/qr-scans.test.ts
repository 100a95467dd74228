import { describe, expect, vi } from 'vitest';
import { qrClient, target } from '../../areas/qr/support.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { personOf } from './pages.ts';

const app = await sharedApp('console');
const qr = qrClient(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);

describe('the scans of a code in the console', () => {
  it('have figures and lists that agree, with and without scans', async () => {
    const { code, id } = await qr.create({ url: target });
    const page = async () => (await admin.page(`qr/${id}`)).text;
    const before = await page();
    expect(before).toContain('Nobody has scanned this code yet.');
    expect(before).not.toContain('id="countries"');
    await qr.scan(code);
    await vi.waitFor(async () => expect(await page()).toMatch(/1 scan ·/), {
      timeout: 10_000,
      interval: 50,
    });
    const after = await page();
    expect(after).toContain('id="countries"');
    expect(after).toContain('id="scans-chart"');
    // Cameras send none: a list that says so would only raise a question.
    expect(after).not.toContain('id="referrers"');
    expect(after).not.toMatch(/No scans|Nobody has scanned/);
  });
});
