import sharp from 'sharp';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { freshApp, type TestApp } from '../../support/app.ts';
import { me, sqlContent } from '../../support/abuse.ts';
import { call, newcomer, upload } from './people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
}, 60_000);

const picture = (width = 640, height = 480) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } });
const get = (url: string) => app.http.inject({ url: new URL(url).pathname });

describe('the own profile', () => {
  it('shows OpenID Connect claims', async () => {
    const ada = await newcomer(app);
    const { status, body, headers } = await call(app, ada, 'GET', '');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      id: ada.userId,
      sub: ada.userId,
      email: ada.email,
      email_verified: true,
      phone_number: null,
      phone_number_verified: false,
      name: null,
      picture: null,
      roles: [],
      locale: null,
      zoneinfo: null,
      created_at: expect.any(String) as string,
      deletion_due_at: null,
    });
  });

  it('changes only what is given, and at once in all sessions', async () => {
    const ada = await newcomer(app);
    const given = { name: ' Ada Lovelace ', locale: 'EN-gb', zoneinfo: 'Europe/London' };
    expect((await call(app, ada, 'PATCH', '', given)).body).toMatchObject({
      name: 'Ada Lovelace',
      locale: 'en-GB',
      zoneinfo: 'Europe/London',
    });
    expect((await me(app, ada.bearer)).body.name).toBe('Ada Lovelace');
    const { body } = await call(app, ada, 'PATCH', '', { locale: null });
    expect(body).toMatchObject({ name: 'Ada Lovelace', locale: null, zoneinfo: 'Europe/London' });
    expect((await call(app, ada, 'PATCH', '', {})).body).toEqual(body);
  });

  it('is changed once by requests with the same Idempotency-Key', async () => {
    const [ada, eve] = [await newcomer(app), await newcomer(app)];
    const rename = (person: typeof ada, name: string) =>
      app.http.inject({
        method: 'PATCH',
        url: '/api/v1/users/me',
        headers: { ...person.bearer, 'idempotency-key': 'rename-1' },
        payload: { name },
      });
    const first = await rename(ada, 'Ada');
    await call(app, ada, 'PATCH', '', { name: 'Countess' });
    const again = await rename(ada, 'Ada');
    expect({ status: again.statusCode, body: again.body }).toEqual({
      status: 200,
      body: first.body,
    });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await rename(ada, 'Other')).statusCode).toBe(422);
    expect((await call(app, ada, 'GET', '')).body.name).toBe('Countess');
    expect((await rename(eve, 'Eve')).json()).toMatchObject({ sub: eve.userId, name: 'Eve' });
  });

  it.each([
    { name: 'x'.repeat(101) },
    { name: 'x'.repeat(1_000_000) },
    { name: '' },
    { name: 'Ada\nBcc: all@example.com' },
    { name: 'Ada \u202Egnp.exe' },
    { locale: 'not a language' },
    { locale: 'e'.repeat(40) },
    { zoneinfo: 'Mars/Olympus' },
    { zoneinfo: '../../etc/passwd' },
    { roles: ['admin'], name: 7 },
  ])('refuses a value that is too long or means nothing: %#', async (patch) => {
    const ada = await newcomer(app);
    const { status } = await call(app, ada, 'PATCH', '', patch);
    expect([413, 422]).toContain(status);
    expect((await call(app, ada, 'GET', '')).body).toMatchObject({
      name: null,
      locale: null,
      zoneinfo: null,
      roles: [],
    });
  });

  it('gives nobody a role, an address or another id by PATCH', async () => {
    const ada = await newcomer(app);
    const before = (await call(app, ada, 'GET', '')).body;
    const stolen = { id: before.id, roles: ['admin'], email: 'root@example.com', picture: 'x' };
    expect((await call(app, ada, 'PATCH', '', stolen)).body).toEqual(before);
  });

  it('needs a session, not an API key', async () => {
    for (const headers of [{}, { authorization: 'Bearer test-admin-key-9f2c61e07b3d84aa5c1f' }]) {
      const { statusCode } = await app.http.inject({ url: '/api/v1/users/me', headers });
      expect(statusCode).toBe(401);
    }
  });
});

describe('the own picture', () => {
  it('becomes a square WebP without metadata, at an address that caches may keep', async () => {
    const ada = await newcomer(app);
    const exif = { IFD0: { Artist: 'SECRET-PLACE', Copyright: 'SECRET-PLACE' } };
    const bytes = await picture().withExif(exif).jpeg().toBuffer();
    expect(bytes.includes('SECRET-PLACE')).toBe(true);
    const uploaded = await upload(app, ada, bytes, 'image/jpeg');
    expect(uploaded.statusCode).toBe(200);
    const { picture: url } = uploaded.json<{ picture: string }>();
    const shown = await get(url);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const meta = await sharp(shown.rawPayload).metadata();
    expect(meta).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect({ exif: meta.exif, icc: meta.icc, xmp: meta.xmp }).toEqual({
      exif: undefined,
      icc: undefined,
      xmp: undefined,
    });
    expect(shown.rawPayload.includes('SECRET-PLACE')).toBe(false);
    expect((await me(app, ada.bearer)).body.picture).toBe(url);
  });

  it('stands upright as its EXIF says', async () => {
    const ada = await newcomer(app);
    const left = { create: { width: 100, height: 200, channels: 3 as const, background: '#000' } };
    const bytes = await picture(200, 200)
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const url = (await upload(app, ada, bytes)).json<{ picture: string }>().picture;
    const { data } = await sharp((await get(url)).rawPayload)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number) => data[3 * (256 * y + x)] ?? -1;
    expect(redAt(128, 20)).toBeLessThan(40);
    expect(redAt(128, 236)).toBeGreaterThan(150);
  });

  it('is replaced and removed: the old address answers 404', async () => {
    const ada = await newcomer(app);
    const first = (await upload(app, ada, await picture().png().toBuffer())).json<{
      picture: string;
    }>().picture;
    const other = await picture(300, 900).negate().webp().toBuffer();
    const second = (await upload(app, ada, other)).json<{ picture: string }>().picture;
    expect(second).not.toBe(first);
    expect({
      firstStatus: (await get(first)).statusCode,
      secondStatus: (await get(second)).statusCode,
    }).toEqual({ firstStatus: 404, secondStatus: 200 });
    expect((await call(app, ada, 'DELETE', '/avatar')).body).toEqual({ picture: null });
    expect((await get(second)).statusCode).toBe(404);
    expect((await call(app, ada, 'GET', '')).body.picture).toBeNull();
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['an SVG as PNG', Buffer.from('<?xml version="1.0"?><svg width="9" height="9"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s, whatever its content type says', async (_, bytes) => {
    const ada = await newcomer(app);
    const { statusCode, body } = await upload(app, ada, bytes);
    expect({ statusCode, body }).toEqual({
      statusCode: 415,
      body: expect.stringContaining('account.avatar_type') as string,
    });
    expect((await call(app, ada, 'GET', '')).body.picture).toBeNull();
  });

  it('refuses a picture that is damaged, or HTML behind the first bytes of a JPEG', async () => {
    const ada = await newcomer(app);
    const whole = await picture().png().toBuffer();
    const html = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<script>1</script>')]);
    for (const bytes of [whole.subarray(0, 200), html])
      expect((await upload(app, ada, bytes)).statusCode).toBe(422);
  });

  it('refuses a small file that becomes a huge picture', async () => {
    const ada = await newcomer(app);
    const bomb = await picture(6400, 6400).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024);
    const { statusCode, body } = await upload(app, ada, bomb);
    expect(statusCode).toBe(422);
    expect(body).not.toContain('libvips');
  }, 30_000);

  it('refuses more than 5 MB before it looks at them', async () => {
    const ada = await newcomer(app);
    const { statusCode } = await upload(app, ada, Buffer.alloc(5 * 1024 * 1024 + 1, 0xff));
    expect(statusCode).toBe(413);
  });

  it('serves only an exact address', async () => {
    const ada = await newcomer(app);
    const eve = await newcomer(app);
    const { picture: url } = (await upload(app, ada, await picture(64, 64).png().toBuffer())).json<{
      picture: string;
    }>();
    const file = url.split('/').at(-1) ?? '';
    for (const path of [
      `/api/v1/users/${eve.userId}/avatar/${file}`,
      `/api/v1/users/${ada.userId}/avatar/${file.replace('.webp', '')}`,
      `/api/v1/users/${ada.userId}/avatar/..%2F..%2Fme`,
      `/api/v1/users/${ada.userId}/avatar/%25.webp`,
    ])
      expect({ path, status: (await app.http.inject({ url: path })).statusCode }).toEqual({
        path,
        status: 404,
      });
  });

  it('leaves nothing of the uploaded file in the database or the log', async () => {
    const ada = await newcomer(app);
    const bytes = await picture()
      .withExif({ IFD0: { Artist: 'HIDDEN-ARTIST' } })
      .jpeg()
      .toBuffer();
    await upload(app, ada, bytes);
    const avatars = (await sqlContent(app)).get('avatars') ?? '';
    expect(avatars.includes(Buffer.from('HIDDEN-ARTIST').toString('hex'))).toBe(false);
    expect(app.log()).not.toContain('HIDDEN-ARTIST');
  });
});

describe('with rate limits', () => {
  it('one user uploads at most 20 pictures an hour, from any number of addresses', async () => {
    const limited = await freshApp({ env: { RATE_LIMIT: 'on', OTP_LIMITS: 'off' } });
    await limited.services.queues.start();
    try {
      const ada = await newcomer(limited);
      const bytes = await picture(16, 16).png().toBuffer();
      const statuses: number[] = [];
      for (let at = 0; at < 22; at += 1) {
        const { statusCode, headers } = await limited.http.inject({
          method: 'PUT',
          url: '/api/v1/users/me/avatar',
          remoteAddress: `198.51.100.${at}`,
          headers: { ...ada.bearer, 'content-type': 'image/png' },
          payload: bytes,
        });
        statuses.push(statusCode);
        if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    } finally {
      await limited.close();
    }
  }, 60_000);
});
