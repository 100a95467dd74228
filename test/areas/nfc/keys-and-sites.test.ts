import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeal } from '../../../src/lib/secrets/seal.ts';
import { asAdmin, browser, freshApp, type FreshApp } from '../../support/app.ts';
import { asBrowser, hexKey, type NfcClient, nfcClient } from './support.ts';

let app: FreshApp;
let client: NfcClient;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: 'https://svc.example', SITE_LIMIT: '2' } });
  client = nfcClient(app);
}, 60_000);
afterAll(() => app.close());

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
    const tag = await client.createSun();
    await loseKeys(tag.id);
    const answer = await client.tap(tag.code, tag.at(1));
    expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({
      status: 503,
      body: {
        code: 'nfc.keys_unreadable',
        detail: expect.stringContaining('AUTH_SECRET') as string,
      },
    });
    const page = await client.tap(tag.code, tag.at(1), asBrowser);
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain('can’t be checked right now');
    expect(page.body).not.toContain('AUTH_SECRET');
    expect(await client.show(tag.id)).toMatchObject({ taps: 0 });
    expect(await client.alarmsOf(tag.id)).toEqual({});
  });
});

describe('the taps of a tag', () => {
  const peopleOf = async (site: string, tag: string): Promise<unknown> => {
    const query = new URLSearchParams({ site_id: site, filter: `tag:is:${tag}` });
    const answer = await app.http.inject({
      url: `/analytics/dashboard/?${query.toString()}`,
      headers: asAdmin,
    });
    return answer.json<{ totals: { visitors: number } }>().totals.visitors;
  };

  it('count for the site of the tag, also after it was changed', async () => {
    const tag = await client.create({
      chip: 'ntag213',
      mode: 'plain',
      action: 'page',
      site_id: 'shop.example',
    });
    expect(tag).toMatchObject({ site_id: 'shop.example' });
    await client.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await peopleOf('shop.example', tag.code)).toBe(1);
    const moved = await client.admin('PATCH', `/tags/${tag.id}`, { site_id: 'svc.example' });
    expect(moved.json()).toMatchObject({ site_id: 'svc.example' });
    await client.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await peopleOf('svc.example', tag.code)).toBe(1);
  });

  it('can’t count for a site above SITE_LIMIT', async () => {
    const body = { name: 'Door', chip: 'ntag213', mode: 'plain', site_id: 'third.example' };
    const answer = await client.admin('POST', '/tags', body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ loc: ['body', 'site_id'] }]);
  });

  it('of a tag without a site count for the service itself', async () => {
    const tag = await client.create({ chip: 'ntag213', mode: 'plain', action: 'page' });
    await app.stores.db
      .updateTable('nfc_tags')
      .set({ site_id: null })
      .where('id', '=', tag.id)
      .execute();
    expect(await client.show(tag.id)).toMatchObject({ site_id: 'svc.example' });
    await client.tap(tag.code, '', { 'user-agent': browser });
    await app.applied();
    expect(await peopleOf('svc.example', tag.code)).toBe(1);
  });
});
