import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { it } from '../../support/test.ts';

const app = await freshApp({
  env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme', CONTACT_EMAIL: 'hi@acme.example' },
  isEmbedded: true,
});
const anyone = new TestClient(app);
const admin = new TestClient(app).as(asAdmin).at('/api/v1/brand');
const textOf = async (path: string) => (await anyone.get(path)).text;

describe('the brand', () => {
  it('is as the environment says until something is saved', async () => {
    expect((await admin.get('')).body).toMatchObject({
      name: null,
      logo: null,
      effective: { name: 'Acme', contact_email: 'hi@acme.example', legal_name: 'Acme' },
    });
  });

  it('is changed once, and seen on pages, in feeds and in the OpenAPI document', async () => {
    expect(await textOf('/')).toContain('Acme');
    expect(
      await admin.patch('', { name: 'Globex', contact_email: 'you@globex.example' }),
    ).toMatchObject({ status: 200, body: { effective: { name: 'Globex', legal_name: 'Globex' } } });
    for (const path of ['/', '/login', '/status', '/developer/', '/developer/errors']) {
      expect(await textOf(path), path).toContain('Globex');
      expect(await textOf(path), path).not.toContain('Acme');
    }
    expect(await textOf('/privacy')).toContain('you@globex.example');
    expect((await anyone.get('/api/openapi.json')).body).toMatchObject({
      info: { title: 'Globex API' },
    });
    expect((await anyone.get('/api/v1/status/summary')).status).toBeLessThan(500);
    expect((await anyone.get('/status/summary.json')).body).toMatchObject({
      page: { name: 'Globex' },
    });
    expect((await anyone.get('/site.webmanifest')).body).toMatchObject({ name: 'Globex' });
  });

  it('returns to the environment with null', async () => {
    await admin.patch('', { name: null, contact_email: null });
    expect(await textOf('/')).toContain('Acme');
    expect(await textOf('/')).not.toContain('Globex');
  });

  it('has an accent whose shades hold white text, in /theme.css', async () => {
    await admin.patch('', { accent: '#FFCC00' });
    const sheet = await textOf('/theme.css');
    expect(sheet).toMatch(/--accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)/);
    expect(sheet).not.toContain('--accent:light-dark(#ffcc00');
    await admin.patch('', { accent: null });
    expect(await textOf('/theme.css')).not.toContain('--accent');
  });

  it('refuses what is no color, address or link, and changes nothing', async () => {
    expect(await admin.patch('', { accent: 'red' })).toBeInvalid('body.accent');
    expect(await admin.patch('', { contact_email: 'nobody' })).toBeInvalid('body.contact_email');
    const links = [{ label: 'x', url: 'javascript:alert(1)' }];
    expect(await admin.patch('', { footer_links: links })).toBeInvalid('body.footer_links.0.url');
    expect((await admin.get('')).body).toMatchObject({ accent: null, footer_links: [] });
  });

  it('is for admins alone', async () => {
    expect((await new TestClient(app).get('/api/v1/brand')).status).toBe(401);
  });
});

const logoRequest = (body: Buffer, type: string) =>
  app.http.inject({
    method: 'PUT',
    url: '/api/v1/brand/logo',
    headers: { ...asAdmin, 'content-type': type },
    payload: body,
  });

describe('the logo', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="alert(1)">' +
    '<script>alert(1)</script><rect width="40" height="20" fill="#c00"/></svg>';

  it('is kept as pixels: an SVG with a script comes out as a PNG', async () => {
    expect((await logoRequest(Buffer.from(svg), 'image/svg+xml')).statusCode).toBe(200);
    const shown = await app.http.inject({ url: '/brand/logo.png' });
    expect(shown.headers['content-type']).toBe('image/png');
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({
      format: 'png',
      width: 512,
      height: 256,
    });
    expect(shown.rawPayload.includes('alert')).toBe(false);
    expect(await textOf('/')).toMatch(/\/brand\/logo\.png\?v=[0-9a-f]{8}/);
  });

  it('is refused with entities, as text, and when it is damaged; the old one stays', async () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "x">]>${svg}`;
    expect((await logoRequest(Buffer.from(bomb), 'image/svg+xml')).statusCode).toBe(415);
    expect((await logoRequest(Buffer.from('<html>'), 'image/svg+xml')).statusCode).toBe(415);
    const damaged = Buffer.from('89504e470d0a1a0a00000000', 'hex');
    expect((await logoRequest(damaged, 'image/png')).statusCode).toBe(422);
    expect((await admin.get('')).body).toMatchObject({ logo: { width: 512, height: 256 } });
  });

  it('can be removed; emails then show the mark of the service', async () => {
    expect(await admin.delete('/logo')).toMatchObject({ status: 200, body: { logo: null } });
    const mark = await app.http.inject({ url: '/brand/logo.png' });
    expect(await sharp(mark.rawPayload).metadata()).toMatchObject({ width: 128, height: 128 });
    expect(await textOf('/')).not.toContain('/brand/logo.png');
  });
});
