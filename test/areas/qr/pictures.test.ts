import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import sharp from 'sharp';
import { loadDecoders } from '../../../src/areas/qr/reading/decoders.ts';
import { pixelsOf } from '../../support/qr-images.ts';
import { qrClient, target } from './support.ts';

const qr = qrClient(await sharedApp('named'));
const readQr = await loadDecoders();

/** What both decoders read in a picture. */
async function textsIn(bytes: Buffer): Promise<readonly string[]> {
  const readings = await readQr(await pixelsOf(bytes));
  return Object.values(readings).flat();
}

describe('the picture of a code', () => {
  it('has the text of its code, as SVG, PNG and PDF', async () => {
    const name = '<script>alert(1)</script>';
    const { id, text } = await qr.create({ name, url: 'https://example.com/?"><img>' });
    expect((await qr.show(id)).name).toBe(name);
    const svg = await qr.codes.get(`/${id}/image.svg`);
    expect(svg).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } });
    expect(svg.text).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>');
    expect(svg.text).not.toContain('<script');
    expect(svg.headers['content-security-policy']).toContain('sandbox');
    const png = await qr.codes.get(`/${id}/image.png?size=400`);
    expect((await sharp(png.bytes).metadata()).width).toBe(400);
    for (const { bytes } of [svg, png]) expect(await textsIn(bytes)).toEqual([text, text]);
    const pdf = await qr.codes.get(`/${id}/image.pdf?download=true`);
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.headers['content-disposition']).toMatch(/^attachment; filename="\w+\.pdf"$/);
  });

  it('has the style of its code, or what the query changes', async () => {
    const style = { foreground: '#0b3d91', shape: 'dots', eye_frame: 'circle', level: 'Q' };
    const { id, text } = await qr.create({ style });
    const svg = await qr.codes.get(`/${id}/image.svg`);
    expect(svg.text).toContain('#0b3d91');
    expect(await textsIn(svg.bytes)).toEqual([text, text]);
    const other = await qr.codes.get(`/${id}/image.svg?fgColor=660000&level=H&margin=8`);
    expect(other.text).toContain('#660000');
    expect(other.text).not.toContain('#0b3d91');
  });

  it.each([
    { foreground: '#ffffff', background: '#000000' },
    { foreground: '#fefefe', background: '#ffffff' },
    { foreground: '#cccccc' },
    { eye_color: '#ffff00' },
  ])('is refused in the colours %j, which hide the code, with the reason', async (style) => {
    const refused = await qr.codes.post('', { name: 'Pale', url: target, style });
    expect(refused).toBeInvalid('body.style');
    expect(refused.text).toContain('contrast');
    const { id } = await qr.create();
    expect(await qr.codes.patch(`/${id}`, { style })).toBeInvalid('body.style');
  });

  it('is refused for a text that no code holds', async () => {
    const long = { name: 'Long', content: { type: 'text', text: 'x'.repeat(2900) } };
    expect((await qr.codes.post('', long)).status).toBe(422);
    expect((await qr.codes.post('', { ...long, style: { level: 'L' } })).status).toBe(200);
  });
});

const red = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#cc0000' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .png()
    .toBuffer();

describe('a logo', () => {
  it('is re-encoded, kept without metadata, and part of the picture', async () => {
    const uploaded = await qr.uploadLogo(await red(900));
    expect(uploaded.body).toMatchObject({ width: 512, height: 512 });
    const { id: logo } = uploaded.body;
    const stored = await qr.admin.get(`/qr-logos/${logo}`);
    expect(stored.bytes.includes('secret place')).toBe(false);
    const { id, text } = await qr.create({ style: { logo, level: 'H' } });
    const svg = await qr.codes.get(`/${id}/image.svg`);
    expect(svg.text).toContain('data:image/png;base64,');
    expect(await textsIn(svg.bytes)).toEqual([text, text]);
    expect((await qr.codes.get(`/${id}/image.svg?hideLogo=true`)).text).not.toContain('data:');
    expect(await qr.admin.delete(`/qr-logos/${logo}`)).toBeProblem(409, 'qr.logo_used');
    await qr.codes.delete(`/${id}`);
    expect((await qr.admin.delete(`/qr-logos/${logo}`)).status).toBe(204);
    expect((await qr.admin.get(`/qr-logos/${logo}`)).status).toBe(404);
  });

  it.each(['https://example.com/logo.png', '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'])(
    'is an uploaded picture and never fetched: %s is refused',
    async (logo) => {
      const style = { logo, level: 'H' };
      expect((await qr.codes.post('', { name: 'x', url: target, style })).status).toBe(422);
    },
  );

  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  it.each([
    ['an SVG', 415, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a gzip bomb', 415, () => gzipSync(Buffer.alloc(1000))],
    ['a PNG that ends early', 422, async () => (await red(100)).subarray(0, 60)],
    [
      'a PNG of 65,535 × 65,535 pixels',
      422,
      () => Buffer.concat([header, Buffer.from('0000ffff0000ffff0806000000', 'hex')]),
    ],
    ['a file of 9 MiB', 413, () => Buffer.alloc(9 * 1024 * 1024, 1)],
  ])('is never %s', async (_file, status, read) => {
    expect((await qr.uploadLogo(await read())).status).toBe(status);
  });
});

describe('a picture of any text', () => {
  it('needs no account and is stored nowhere', async () => {
    const text = 'https://example.com/menu?table=12';
    const svg = await qr.client.get('/api/v1/qr', { query: { url: text } });
    expect(svg.status).toBe(200);
    expect(await textsIn(svg.bytes)).toEqual([text, text]);
    const png = await qr.client.get('/api/v1/qr?text=Hi&format=png&size=200');
    expect(await textsIn(png.bytes)).toEqual(['Hi', 'Hi']);
  });

  it.each([
    '',
    'text=',
    `text=${'x'.repeat(3000)}`,
    'text=a&size=5000',
    'text=a&margin=99',
    'text=a&logo=x',
    'text=a&fgColor=ffffff',
  ])('is refused for the query %o, before it is drawn', async (query) => {
    const refused = await qr.client.get(`/api/v1/qr?${query}`);
    expect(refused.status).toBe(422);
    if (query.includes('Color')) expect(refused.text).toContain('contrast');
  });
});

describe('the files of many codes', () => {
  it('are a sheet to print and an archive of pictures', async () => {
    const csv = ['name,url', ...Array.from({ length: 30 }, (_, at) => `Table ${at},${target}`)];
    const { id } = (await qr.uploadCsv(csv.join('\n'))).body;
    await qr.finished(id);
    const zip = await qr.admin.get(`/qr-batches/${id}/images.zip`);
    expect(zip.headers['content-type']).toBe('application/zip');
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
    expect(zip.bytes.toString('latin1').match(/Table-\d+-\w{7}\.svg/g)).toHaveLength(60);
    const sheet = await qr.codes.post('/sheet', { batch_id: id, layout: 'l7160' });
    expect(sheet.headers['content-type']).toBe('application/pdf');
    expect(sheet.bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
    expect((await qr.codes.post('/sheet', { batch_id: id, layout: '5160' })).status).toBe(422);
    expect((await qr.codes.post('/sheet', {})).status).toBe(422);
  });
});
