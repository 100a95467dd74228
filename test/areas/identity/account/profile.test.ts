import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { TestClient } from '../../../support/client.ts';
import { asAdmin } from '../../../support/app.ts';
import { me, sqlContent } from '../../../support/abuse.ts';
import { signIn, upload } from '../users/people.ts';

const app = await sharedApp();
const client = new TestClient(app);

const picture = (width = 640, height = 480) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } });
const show = (url: string) => client.get(new URL(url).pathname);

describe('your own profile', () => {
  it('shows OpenID Connect claims', async () => {
    const ada = await signIn(app);
    const { status, body, headers } = await ada.account.get('');
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
    const ada = await signIn(app);
    const given = { name: ' Ada Lovelace ', locale: 'EN-gb', zoneinfo: 'Europe/London' };
    expect((await ada.account.patch('', given)).body).toMatchObject({
      name: 'Ada Lovelace',
      locale: 'en-GB',
      zoneinfo: 'Europe/London',
    });
    expect((await me(app, ada.bearer)).body.name).toBe('Ada Lovelace');
    const { body } = await ada.account.patch('', { locale: null });
    expect(body).toMatchObject({ name: 'Ada Lovelace', locale: null, zoneinfo: 'Europe/London' });
    expect((await ada.account.patch('', {})).body).toEqual(body);
  });

  it('is changed once by requests with the same Idempotency-Key', async () => {
    const [ada, eve] = [await signIn(app), await signIn(app)];
    const rename = (person: typeof ada, name: string) =>
      person.account.patch('', { name }, { headers: { 'idempotency-key': 'rename-1' } });
    const first = await rename(ada, 'Ada');
    await ada.account.patch('', { name: 'Countess' });
    const again = await rename(ada, 'Ada');
    expect(again).toMatchObject({
      status: 200,
      text: first.text,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect((await rename(ada, 'Other')).status).toBe(422);
    expect((await ada.account.get('')).body.name).toBe('Countess');
    expect((await rename(eve, 'Eve')).body).toMatchObject({ sub: eve.userId, name: 'Eve' });
  });

  it.each([
    { name: 'x'.repeat(101) },
    { name: 'x'.repeat(1_000_000) },
    { name: '' },
    { locale: 'not a language' },
    { locale: 'e'.repeat(40) },
    { zoneinfo: 'Mars/Olympus' },
    { zoneinfo: '../../etc/passwd' },
    { roles: ['admin'], name: 7 },
  ])('refuses a value that is too long or means nothing: %#', async (patch) => {
    const ada = await signIn(app);
    const { status } = await ada.account.patch('', patch);
    expect([413, 422]).toContain(status);
    const unchanged = { name: null, locale: null, zoneinfo: null, roles: [] };
    expect((await ada.account.get('')).body).toMatchObject(unchanged);
  });

  it('gives nobody a role, an address or another id by PATCH', async () => {
    const ada = await signIn(app);
    const before = (await ada.account.get('')).body;
    const stolen = { id: before.id, roles: ['admin'], email: 'root@example.com', picture: 'x' };
    expect((await ada.account.patch('', stolen)).body).toEqual(before);
  });

  it('needs a session, not an API key', async () => {
    for (const headers of [{}, asAdmin]) {
      expect((await client.get('/api/v1/users/me', { headers })).status).toBe(401);
    }
  });
});

describe('your own picture', () => {
  it('becomes a square WebP without metadata, at an address that caches may keep', async () => {
    const ada = await signIn(app);
    const exif = { IFD0: { Artist: 'SECRET-PLACE', Copyright: 'SECRET-PLACE' } };
    const bytes = await picture().withExif(exif).jpeg().toBuffer();
    expect(bytes.includes('SECRET-PLACE')).toBe(true);
    const uploaded = await upload(ada, bytes, 'image/jpeg');
    expect(uploaded.status).toBe(200);
    const { picture: url } = uploaded.body;
    const shown = await show(url);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const meta = await sharp(shown.bytes).metadata();
    expect(meta).toMatchObject({ format: 'webp', width: 256, height: 256 });
    for (const kind of ['exif', 'icc', 'xmp'] as const) expect(meta[kind]).toBeUndefined();
    expect(shown.bytes.includes('SECRET-PLACE')).toBe(false);
    expect((await me(app, ada.bearer)).body.picture).toBe(url);
  });

  it('stands upright as its EXIF says', async () => {
    const ada = await signIn(app);
    const left = { create: { width: 100, height: 200, channels: 3 as const, background: '#000' } };
    const bytes = await picture(200, 200)
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const url = (await upload(ada, bytes)).body.picture;
    const { data } = await sharp((await show(url)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number) => data[3 * (256 * y + x)] ?? -1;
    expect(redAt(128, 20)).toBeLessThan(40);
    expect(redAt(128, 236)).toBeGreaterThan(150);
  });

  it('is replaced and removed: the old address answers 404', async () => {
    const ada = await signIn(app);
    const first = (await upload(ada, await picture().png().toBuffer())).body.picture;
    const other = await picture(300, 900).negate().webp().toBuffer();
    const second = (await upload(ada, other)).body.picture;
    expect(second).not.toBe(first);
    expect((await show(first)).status).toBe(404);
    expect((await show(second)).status).toBe(200);
    expect((await ada.account.delete('/avatar')).body).toEqual({ picture: null });
    expect((await show(second)).status).toBe(404);
    expect((await ada.account.get('')).body.picture).toBeNull();
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['an SVG as PNG', Buffer.from('<?xml version="1.0"?><svg width="9" height="9"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s, whatever its content type says', async (_, bytes) => {
    const ada = await signIn(app);
    expect(await upload(ada, bytes)).toBeProblem(415, 'account.avatar_type');
    expect((await ada.account.get('')).body.picture).toBeNull();
  });

  it('refuses a picture that is damaged, or HTML behind the first bytes of a JPEG', async () => {
    const ada = await signIn(app);
    const whole = await picture().png().toBuffer();
    const html = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<script>1</script>')]);
    for (const bytes of [whole.subarray(0, 200), html])
      expect((await upload(ada, bytes)).status).toBe(422);
  });

  it('refuses a small file that becomes a huge picture', async () => {
    const ada = await signIn(app);
    const bomb = await picture(6400, 6400).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024);
    const { status, text } = await upload(ada, bomb);
    expect(status).toBe(422);
    expect(text).not.toContain('libvips');
  }, 30_000);

  it('refuses more than 5 MB before it looks at them', async () => {
    const ada = await signIn(app);
    const { status } = await upload(ada, Buffer.alloc(5 * 1024 * 1024 + 1, 0xff));
    expect(status).toBe(413);
  });

  it('serves only an exact address', async () => {
    const ada = await signIn(app);
    const eve = await signIn(app);
    const { picture: url } = (await upload(ada, await picture(64, 64).png().toBuffer())).body;
    const file = url.split('/').at(-1) ?? '';
    for (const path of [
      `/api/v1/users/${eve.userId}/avatar/${file}`,
      `/api/v1/users/${ada.userId}/avatar/${file.replace('.webp', '')}`,
      `/api/v1/users/${ada.userId}/avatar/..%2F..%2Fme`,
      `/api/v1/users/${ada.userId}/avatar/%25.webp`,
    ])
      expect(await client.get(path), path).toMatchObject({ status: 404 });
  });

  it('leaves nothing of the uploaded file in the database or the log', async () => {
    const ada = await signIn(app);
    const exif = { IFD0: { Artist: 'HIDDEN-ARTIST' } };
    await upload(ada, await picture().withExif(exif).jpeg().toBuffer());
    const avatars = (await sqlContent(app)).get('avatars') ?? '';
    expect(avatars.includes(Buffer.from('HIDDEN-ARTIST').toString('hex'))).toBe(false);
    expect(app.log()).not.toContain('HIDDEN-ARTIST');
  });
});

describe('a user', () => {
  it('uploads at most 20 pictures an hour, from any number of addresses', async () => {
    const ada = await signIn(await sharedApp('limited'));
    const bytes = await picture(16, 16).png().toBuffer();
    const statuses: number[] = [];
    for (let at = 0; at < 22; at += 1) {
      const { status, headers } = await ada.account.put('/avatar', bytes, {
        from: `198.51.100.${at}`,
        headers: { 'content-type': 'image/png' },
      });
      statuses.push(status);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
  }, 60_000);
});
