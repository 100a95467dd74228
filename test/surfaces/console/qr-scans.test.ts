import { describe, expect, vi } from 'vitest';
import { qrClient, target } from '../../areas/qr/support.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { personOf } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);

describe('the scans of a code in the console', () => {
  it('say why there are no referrers, with and without scans', async () => {
    const qr = qrClient(app);
    const { code, id } = await qr.create({ url: target });
    const referrers = async () => {
      const { text } = await admin.page(`qr?id=${id}`);
      return /id="referrers".*?<\/section>/s.exec(text)?.[0] ?? text;
    };
    expect(await referrers()).toContain('No scans in this period.');
    await qr.scan(code);
    await vi.waitFor(
      async () => expect(await referrers()).toContain('Camera apps don’t say where'),
      { timeout: 10_000, interval: 50 },
    );
    expect(await referrers()).not.toContain('No scans in this period.');
  });
});
