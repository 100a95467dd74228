import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSeal } from '../../../src/lib/secrets/seal.ts';
import { asAdmin, browser, freshApp } from '../../support/app.ts';
import { hexKey, nfcClient } from './support.ts';

const app = await freshApp({ env: { BASE_URL: 'https://svc.example', SITE_LIMIT: '2' } });
const nfc = nfcClient(app);

/** Leaves the tag as if AUTH_SECRET had changed after it was created. */
async function loseKeys(id: string): Promise<void> {
  await app.stores.db
    .updateTable('nfc_tags')
    .set({ sealed_file_key: createSeal(randomBytes(32)).seal(hexKey()), sealed_meta_key: null })
    .where('id', '=', id)
    .execute();
}

describe('a tag whose keys were encrypted with another AUTH_SECRET', () => {
  it('is not checked, which says why and counts nothing', async () => {
    const tag = await nfc.createSun();
    await loseKeys(tag.id);
    const answer = await nfc.tap(tag.code, tag.at(1));
    expect(answer).toBeProblem(503, 'nfc.keys_unreadable');
    expect(answer.text).toContain('AUTH_SECRET');
    const page = await nfc.open(tag.code, tag.at(1));
    expect(page.status).toBe(503);
    expect(page.text).toContain('We can’t check this tag');
    expect(page.text).not.toContain('AUTH_SECRET');
    expect(await nfc.show(tag.id)).toMatchObject({ taps: 0 });
    expect(await nfc.alarmsOf(tag.id)).toEqual({});
  });
});

describe('the taps of a tag', () => {
  const totalsOf = async (site: string, tag: string): Promise<object> => {
    const query = { site_id: site, filter: `tag:is:${tag}` };
    const admin = nfc.client.as(asAdmin);
    const answer = await admin.get<{ totals: object }>('/analytics/dashboard/', { query });
    return answer.body.totals;
  };

  it('count for the site of the tag, also after it was changed', async () => {
    const plain = { chip: 'ntag213', mode: 'plain', action: 'page' };
    const tag = await nfc.create({ ...plain, site_id: 'shop.example' });
    expect(tag).toMatchObject({ site_id: 'shop.example' });
    await nfc.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await totalsOf('shop.example', tag.code)).toMatchObject({ visitors: 1 });
    const moved = await nfc.admin.patch(`/tags/${tag.id}`, { site_id: 'svc.example' });
    expect(moved.body).toMatchObject({ site_id: 'svc.example' });
    await nfc.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await totalsOf('svc.example', tag.code)).toMatchObject({ visitors: 1 });
  });

  it('can’t count for a site above SITE_LIMIT', async () => {
    const body = { name: 'Door', chip: 'ntag213', mode: 'plain', site_id: 'third.example' };
    const answer = await nfc.admin.post('/tags', body);
    expect(answer).toBeInvalid('body.site_id');
  });

  it('of a tag without a site count for the service itself', async () => {
    const tag = await nfc.create({ chip: 'ntag213', mode: 'plain', action: 'page' });
    await app.stores.db
      .updateTable('nfc_tags')
      .set({ site_id: null })
      .where('id', '=', tag.id)
      .execute();
    expect(await nfc.show(tag.id)).toMatchObject({ site_id: 'svc.example' });
    await nfc.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await totalsOf('svc.example', tag.code)).toMatchObject({ visitors: 1 });
  });
});
