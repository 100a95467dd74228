import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect } from 'vitest';
import type { NfcAlarmView } from '../../../src/areas/nfc/alarms/schemas.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { type List, nfcClient, randomUid } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

const app = await sharedApp('named');
const nfc = nfcClient(app);

describe('a genuine tap', () => {
  it('counts, and tells what the tag said', async () => {
    const tag = await nfc.createSun();
    const answer = await nfc.tap(tag.code, tag.at(5));
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toContain('no-store');
    const { code, chip } = tag;
    const told = { genuine: true, code, uid: chip.uid, counter: 5, tamper: null };
    expect(answer.body).toMatchObject(told);
    expect(await nfc.show(tag.id)).toMatchObject({ taps: 1, last_counter: 5, uid: chip.uid });
  });

  it('is sent to the target, without the message of the tag', async () => {
    const tag = await nfc.createSun({ action: 'redirect', target: 'https://example.com/a?b=c' });
    const { status, headers } = await nfc.open(tag.code, tag.at(1));
    expect(status).toBe(302);
    expect(headers.location).toBe('https://example.com/a?b=c');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toContain('no-store');
  });

  it('is sent to a target in letters of any script, also one from before', async () => {
    const target = 'https://müller.example/日本?q=M%FCller~#für';
    const stored = 'https://xn--mller-kva.example/%E6%97%A5%E6%9C%AC?q=M%FCller~#f%C3%BCr';
    const tag = await nfc.createSun({ action: 'redirect', target });
    expect(tag.target).toBe(stored);
    expect((await nfc.open(tag.code, tag.at(1))).headers.location).toBe(stored);
    const { db } = app.stores;
    await db.updateTable('nfc_tags').set({ target }).where('id', '=', tag.id).execute();
    expect((await nfc.open(tag.code, tag.at(2))).headers.location).toBe(stored);
  });

  it('takes a token to its target, whose own text stays as it is', async () => {
    const target = 'https://shop.example/in?x=%FC%20~;y&z#top?1';
    const tag = await nfc.createSun({ action: 'token', target });
    const { headers } = await nfc.open(tag.code, tag.at(1));
    expect(headers.location).toMatch(
      /^https:\/\/shop\.example\/in\?x=%FC%20~;y&z&tap_token=[\w.-]+#top\?1$/,
    );
  });

  it('passes the query on to its target, and never its message', async () => {
    const target = 'https://example.com/a?b=%FC';
    const tag = await nfc.createSun({ action: 'redirect', target });
    const query = `gclid=%7E&${tag.at(1)}&b=2&tap_token=forged`;
    expect((await nfc.open(tag.code, query)).headers.location).toBe(`${target}&gclid=%7E`);
    const tokens = await nfc.createSun(
      { action: 'token', target, parameters: { joined: 'e' } },
      { joined: 'e' },
    );
    const location = String(
      (await nfc.open(tokens.code, `${tokens.at(1)}&utm_source=a`)).headers.location,
    );
    expect(location).toMatch(/^https:\/\/example\.com\/a\?b=%FC&tap_token=[\w.-]+&utm_source=a$/);
    await nfc.admin.patch(`/tags/${tag.id}`, { forward_query: false });
    expect((await nfc.open(tag.code, `${tag.at(2)}&gclid=x`)).headers.location).toBe(target);
    const mirror = await nfc.create({ chip: 'ntag215', mode: 'mirror', target });
    const message = 'm=04AABBCCDDEE80x00000A';
    expect((await nfc.open(mirror.code, `${message}&c=1`)).headers.location).toBe(`${target}&c=1`);
  });

  it('gets a page, with the text escaped', async () => {
    const tag = await nfc.createSun({
      name: 'Bottle <7>',
      action: 'page',
      page_text: 'Welcome & <b>enjoy</b>\n\nSecond',
    });
    const { status, headers, text } = await nfc.open(tag.code, tag.at(1));
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('<p>Welcome &amp; &lt;b&gt;enjoy&lt;/b&gt;</p>');
    expect(text).toContain('<p>Second</p>');
    expect(text).toContain('This is genuine');
    expect(text).not.toContain('<b>enjoy');
  });

  it('takes a token to its target that the JWKS verifies, for one origin and minute', async () => {
    const tag = await nfc.createSun({ action: 'token', target: 'https://shop.example/in?x=1' });
    const { status, headers } = await nfc.open(tag.code, tag.at(9));
    expect(status).toBe(302);
    const url = new URL(String(headers.location));
    expect(url.origin).toBe('https://shop.example');
    expect(url.searchParams.get('x')).toBe('1');
    const token = url.searchParams.get('tap_token') ?? '';
    const jwks = await nfc.client.get('/.well-known/nfc-jwks.json');
    expect(jwks.headers['cache-control']).toBe('public, max-age=300');
    expect(jwks.text).not.toContain('"d"');
    const keys = createLocalJWKSet(JSON.parse(jwks.text) as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, {
      audience: 'https://shop.example',
      issuer: 'https://svc.example',
      algorithms: ['EdDSA'],
    });
    expect(payload).toMatchObject({ sub: tag.id, uid: tag.chip.uid, counter: 9 });
    expect(payload.jti).toMatch(/^[\da-f-]{36}$/);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    await expect(jwtVerify(token, keys, { audience: 'https://other.example' })).rejects.toThrow();
    const later = new Date(Date.now() + 62_000);
    await expect(jwtVerify(token, keys, { currentDate: later })).rejects.toThrow();
    expect(app.log()).not.toContain(token);
  });

  it('tells the state of the tamper loop, and an opened one raises an alarm', async () => {
    const tag = await nfc.createSun(
      { chip: 'ntag424_tt' },
      { data: 'CC--------------', macInput: 'file_data' },
    );
    expect((await nfc.tap(tag.code, tag.at(1))).body.tamper).toBe('closed');
    expect(await nfc.alarmsOf(tag.id)).toEqual({});
    const opened = { ...tag.chip, data: 'OC--------------' };
    expect((await nfc.tap(tag.code, tapQuery(opened, 2))).body.tamper).toBe('opened_before');
    expect(await nfc.alarmsOf(tag.id)).toEqual({ opened: 1 });
  });

  it('works with LRP, plain mirrors, the counter alone and one joined parameter', async () => {
    const variants = [
      [{ encryption: 'lrp' }, { isLrp: true }],
      [{ picc_data: 'plain' }, { isPlain: true }],
      [{ mirrored: 'counter' }, { mirrors: 'counter' as const }],
      [{ parameters: { joined: 'e' } }, { joined: 'e' }],
      [
        { file_data: 'encrypted', mac_input: 'message' },
        { data: 'x'.repeat(16), macInput: 'message' as const },
      ],
    ] as const;
    for (const [body, chip] of variants) {
      const tag = await nfc.createSun(body, chip);
      expect((await nfc.tap(tag.code, tag.at(1))).status).toBe(200);
      expect((await nfc.tap(tag.code, tag.at(1))).status).toBe(403);
    }
  });
});

describe('a tag without secure messages', () => {
  it('counts each tap as unproven', async () => {
    const tag = await nfc.create({ chip: 'ntag213', mode: 'plain', action: 'json' });
    for (const taps of [1, 2]) {
      expect((await nfc.tap(tag.code, '')).body).toMatchObject({ genuine: false, uid: null });
      expect((await nfc.show(tag.id)).taps).toBe(taps);
    }
  });

  it('with a mirror tells UID and counter, learns no UID, and takes any counter', async () => {
    const tag = await nfc.create({ chip: 'ntag215', mode: 'mirror', action: 'json' });
    const tap = (mirror: string) => nfc.tap(tag.code, `m=${mirror}`);
    expect((await tap('04AABBCCDDEE80x00000A')).body).toMatchObject({
      genuine: false,
      uid: '04AABBCCDDEE80',
      counter: 10,
    });
    // Anybody can write a high counter, which must not lock the tag out.
    expect((await tap('04AABBCCDDEE80xFFFFFF')).status).toBe(200);
    expect((await tap('04AABBCCDDEE80x00000B')).status).toBe(200);
    expect(await nfc.show(tag.id)).toMatchObject({ uid: null, last_counter: 11, taps: 3 });
    expect(await tap('04AABBCCDDEE80')).toBeProblem(403, 'nfc.tap_refused');
  });

  it('with a mirror and a known UID refuses others', async () => {
    const uid = randomUid();
    const tag = await nfc.create({ chip: 'ntag215', mode: 'mirror', action: 'json', uid });
    expect((await nfc.tap(tag.code, `m=${uid}x000001`)).status).toBe(200);
    const other = await nfc.tap(tag.code, `m=${randomUid()}x000002`);
    expect(other).toBeProblem(403, 'nfc.tap_refused');
    expect(await nfc.alarmsOf(tag.id)).toEqual({ unknown_uid: 1 });
  });
});

describe('a tap', () => {
  it('is refused with 404 for an unknown code; all of them raise one alarm an hour', async () => {
    const before = await app.stores.db.selectFrom('nfc_alarms').select('id').execute();
    for (let at = 0; at < 20; at += 1)
      expect(await nfc.tap(`unknown-${at}`, 'x=y')).toBeProblem(404, 'nfc.unknown_code');
    const rows = await app.stores.db
      .selectFrom('nfc_alarms')
      .select(['tag_id', 'count'])
      .where('kind', '=', 'unknown_code')
      .execute();
    // Two, if the hour has changed.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(20);
    const after = await app.stores.db.selectFrom('nfc_alarms').select('id').execute();
    expect(after.length - before.length).toBeLessThanOrEqual(2);
  });

  it('is refused with 410 while the tag is switched off, and its message stays valid', async () => {
    const tag = await nfc.createSun();
    await nfc.admin.patch(`/tags/${tag.id}`, { active: false });
    expect(await nfc.tap(tag.code, tag.at(1))).toBeProblem(410, 'nfc.inactive');
    await nfc.admin.patch(`/tags/${tag.id}`, { active: true });
    expect((await nfc.tap(tag.code, tag.at(1))).status).toBe(200);
  });

  it('is refused with the same page, forged or replayed', async () => {
    const tag = await nfc.createSun({ action: 'page' });
    await nfc.tap(tag.code, tag.at(3));
    const forged = tag.at(4).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const pages = await Promise.all(
      [tag.at(3), tag.at(2), forged].map((query) => nfc.open(tag.code, query)),
    );
    for (const { status, headers } of pages) {
      expect(status).toBe(403);
      expect(headers['content-type']).toContain('text/html');
    }
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(pages[0]?.text).toContain('Tap the tag again');
  });

  it('leaves no trace of its message in the log', async () => {
    const tag = await nfc.createSun();
    await nfc.tap(tag.code, tag.at(1));
    await nfc.tap(tag.code, tag.at(1));
    const [, mac = ''] = tag.at(1).split('cmac=');
    expect(app.log()).not.toContain(mac);
  });
});

describe('an alarm', () => {
  it('is listed, resolved, and opened again when it happens again', async () => {
    const tag = await nfc.createSun();
    const forge = () => nfc.tap(tag.code, tag.at(1).replace(/.{4}$/, '0000'));
    await forge();
    await forge();
    const list = async () =>
      (await nfc.admin.get<List<NfcAlarmView>>(`/alarms?tag_id=${tag.id}`)).body.data;
    const [alarm] = await list();
    expect(alarm).toMatchObject({ kind: 'forged', count: 2, resolved: false });
    await nfc.admin.patch(`/alarms/${alarm?.id ?? ''}`, { resolved: true });
    expect((await list())[0]?.resolved).toBe(true);
    await forge();
    const after = (await list()).filter(({ resolved }) => !resolved);
    expect(after).toHaveLength(1);
    expect((await nfc.admin.delete(`/alarms/${alarm?.id ?? ''}`)).status).toBe(405);
  });
});
