import { beforeAll, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import sharp from 'sharp';
import { loadDecoders, type ReadQr } from '../../../src/areas/qr/reading/decoders.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { pixelsOf } from '../../support/qr-images.ts';
import { codesPath, createQrTests, target } from './support.ts';

let app: TestApp;
const { request, call, create } = createQrTests(() => app);
let readQr: ReadQr;
beforeAll(async () => {
  app = await sharedApp('named');
  readQr = await loadDecoders();
}, 60_000);

const picture = (path: string, headers: Record<string, string> = asAdmin) =>
  request({ url: path, headers });

/** What both decoders read in a picture. */
async function textsIn(bytes: Buffer): Promise<readonly string[]> {
  const readings = await readQr(await pixelsOf(bytes));
  return Object.values(readings).flat();
}

describe('a picture', () => {
  it('has the text of its code, as SVG, PNG and PDF', async () => {
    const { id, text } = await create({ name: 'Menu <b>' });
    const svg = await picture(`${codesPath}/${id}/image.svg`);
    expect({ status: svg.statusCode, 'content-type': svg.headers['content-type'] }).toEqual({
      status: 200,
      'content-type': 'image/svg+xml',
    });
    expect(svg.body).toContain('<title>Menu &lt;b&gt;</title>');
    expect(svg.headers['content-security-policy']).toContain('sandbox');
    const png = await picture(`${codesPath}/${id}/image.png?size=400`);
    expect((await sharp(png.rawPayload).metadata()).width).toBe(400);
    for (const { rawPayload } of [svg, png])
      expect(await textsIn(rawPayload)).toEqual([text, text]);
    const pdf = await picture(`${codesPath}/${id}/image.pdf?download=true`);
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.headers['content-disposition']).toMatch(/^attachment; filename="\w+\.pdf"$/);
  });

  it('has the style of its code, or what the query changes', async () => {
    const style = { foreground: '#0b3d91', shape: 'dots', eye_frame: 'circle', level: 'Q' };
    const { id, text } = await create({ style });
    const svg = await picture(`${codesPath}/${id}/image.svg`);
    expect(svg.body).toContain('#0b3d91');
    expect(await textsIn(svg.rawPayload)).toEqual([text, text]);
    const other = await picture(`${codesPath}/${id}/image.svg?fgColor=660000&level=H&margin=8`);
    expect(other.body).toContain('#660000');
    expect(other.body).not.toContain('#0b3d91');
  });

  it.each([
    [{ foreground: '#ffffff', background: '#000000' }, 'contrast'],
    [{ foreground: '#cccccc' }, 'contrast'],
    [{ eye_color: '#ffff00' }, 'contrast'],
  ])('with the style %j is refused, with the reason', async (style, reason) => {
    const answer = await call('POST', '', { name: 'Pale', url: target, style });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('contrast');
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, { style })).statusCode).toBe(422);
    expect(reason).toBe('contrast');
  });

  it('of a text that no code holds is refused', async () => {
    const content = { type: 'text', text: 'x'.repeat(2900) };
    const answer = await call('POST', '', { name: 'Long', content });
    expect(answer.statusCode).toBe(422);
    expect(
      (await call('POST', '', { name: 'Long', content, style: { level: 'L' } })).statusCode,
    ).toBe(200);
  });
});

describe('a logo', () => {
  const upload = (bytes: Buffer, type = 'image/png') =>
    request({
      method: 'POST',
      url: `/api/v1/qr-logos`,
      headers: { ...asAdmin, 'content-type': type },
      payload: bytes,
    });
  const red = (size: number) =>
    sharp({ create: { width: size, height: size, channels: 3, background: '#cc0000' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .png()
      .toBuffer();

  it('is re-encoded, kept without metadata, and part of the picture', async () => {
    const answer = await upload(await red(900));
    expect(answer.json()).toMatchObject({ width: 512, height: 512 });
    const { id: logo } = answer.json();
    const stored = await picture(`/api/v1/qr-logos/${logo}`);
    expect(stored.rawPayload.includes('secret place')).toBe(false);
    const { id, text } = await create({ style: { logo, level: 'H' } });
    const svg = await picture(`${codesPath}/${id}/image.svg`);
    expect(svg.body).toContain('data:image/png;base64,');
    expect(await textsIn(svg.rawPayload)).toEqual([text, text]);
    expect((await picture(`${codesPath}/${id}/image.svg?hideLogo=true`)).body).not.toContain(
      'data:',
    );
    const used = await call('DELETE', `/${logo}`, undefined, asAdmin, '/api/v1/qr-logos');
    expect({ status: used.statusCode, code: used.json().code }).toEqual({
      status: 409,
      code: 'qr.logo_used',
    });
    await call('DELETE', `/${id}`);
    expect(
      (await call('DELETE', `/${logo}`, undefined, asAdmin, '/api/v1/qr-logos')).statusCode,
    ).toBe(204);
    expect((await picture(`/api/v1/qr-logos/${logo}`)).statusCode).toBe(404);
  });

  it('is never fetched: it is an uploaded picture, or nothing', async () => {
    for (const logo of ['https://example.com/logo.png', '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'])
      expect(
        (await call('POST', '', { name: 'x', url: target, style: { logo, level: 'H' } }))
          .statusCode,
      ).toBe(422);
  });

  it('must be a PNG, JPEG or WebP picture', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    expect((await upload(svg)).statusCode).toBe(415);
    const cut = (await red(100)).subarray(0, 60);
    expect((await upload(cut)).statusCode).toBe(422);
  });
});

describe('a picture of any text', () => {
  it('needs no account and is stored nowhere', async () => {
    const text = 'https://example.com/menu?table=12';
    const svg = await picture(`/api/v1/qr?url=${encodeURIComponent(text)}`, {});
    expect(svg.statusCode).toBe(200);
    expect(await textsIn(svg.rawPayload)).toEqual([text, text]);
    const png = await picture('/api/v1/qr?text=Hi&format=png&size=200', {});
    expect(await textsIn(png.rawPayload)).toEqual(['Hi', 'Hi']);
  });

  it('has limits', async () => {
    for (const query of ['', 'text=a&size=5000', 'text=a&logo=x', 'text='])
      expect((await picture(`/api/v1/qr?${query}`, {})).statusCode).toBe(422);
    const pale = await picture('/api/v1/qr?text=a&fgColor=ffffff', {});
    expect({ status: pale.statusCode, includesContrast: pale.body.includes('contrast') }).toEqual({
      status: 422,
      includesContrast: true,
    });
  });
});

describe('files with many codes', () => {
  it('are a sheet to print and an archive of pictures', async () => {
    const csv = ['name,url', ...Array.from({ length: 30 }, (_, at) => `Table ${at},${target}`)];
    const answer = await request({
      method: 'POST',
      url: `/api/v1/qr-batches`,
      headers: { ...asAdmin, 'content-type': 'text/csv' },
      payload: csv.join('\n'),
    });
    const { id } = answer.json();
    await vi.waitFor(
      async () =>
        expect(
          (await call('GET', `/${id}`, undefined, asAdmin, '/api/v1/qr-batches')).json().status,
        ).toBe('done'),
      { timeout: 20_000, interval: 50 },
    );
    const zip = await picture(`/api/v1/qr-batches/${id}/images.zip`);
    expect(zip.headers['content-type']).toBe('application/zip');
    expect(zip.rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect(zip.rawPayload.toString('latin1').match(/Table-\d+-\w{7}\.svg/g)).toHaveLength(60);
    const sheet = await call('POST', '/sheet', { batch_id: id, layout: 'l7160' });
    expect(sheet.headers['content-type']).toBe('application/pdf');
    expect(sheet.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
    expect((await call('POST', '/sheet', { batch_id: id, layout: '5160' })).statusCode).toBe(422);
    expect((await call('POST', '/sheet', {})).statusCode).toBe(422);
  });
});
