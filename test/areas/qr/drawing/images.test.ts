import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import xml from 'xml-js';
import { createLogoEncoder, type Logo } from '../../../../src/areas/qr/drawing/logo.ts';
import { encodeQr, isDark, type QrMatrix } from '../../../../src/areas/qr/drawing/matrix.ts';
import { drawPdf } from '../../../../src/areas/qr/drawing/pdf.ts';
import { drawPng } from '../../../../src/areas/qr/drawing/png.ts';
import { eyeShapes, moduleShapes, QrStyle } from '../../../../src/areas/qr/drawing/style.ts';
import { drawSvg } from '../../../../src/areas/qr/drawing/svg.ts';
import { loadDecoders } from '../../../../src/areas/qr/reading/decoders.ts';
import { pixelsOf } from '../../../support/qr-images.ts';

const text = 'https://svc.example/q/4k7mz1q9xw';
const style = (members: object = {}) => QrStyle.parse(members);

function matrixOf(forLogo = false): QrMatrix {
  const encoding = encodeQr(text, 'M', { forLogo });
  if (!encoding.fits) throw new Error('too long');
  return encoding.matrix;
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } });

async function encodeLogo(bytes: Buffer): Promise<Logo> {
  const logo = await createLogoEncoder()(bytes);
  if (typeof logo === 'string') throw new Error(logo);
  return logo;
}

const readQr = await loadDecoders();

describe('an SVG', () => {
  it('of the default style is one path of few bytes on a background', () => {
    const svg = drawSvg(matrixOf(), style(), { size: 600 });
    expect(svg.match(/<path /g)).toHaveLength(2);
    expect(svg).toContain('viewBox="0 0 37 37"');
    expect(svg.length).toBeLessThan(2000);
  });

  it('has a role and a title, which can carry no markup and no invalid characters', () => {
    const title = '<script>alert("1")</script> & \u0000\ud800';
    const svg = drawSvg(matrixOf(), style(), { size: 600, title });
    const attributes = { role: 'img', width: '600', height: '600' };
    expect(xml.xml2js(svg, { compact: true })).toMatchObject({
      svg: { _attributes: attributes, title: { _text: '<script>alert("1")</script> & ' } },
    });
    expect(svg).not.toContain('<script');
  });

  it('has every dark module, and no other, in squares', async () => {
    const matrix = matrixOf();
    const svg = drawSvg(matrix, style({ margin: 0 }), { size: matrix.size * 8 });
    const { data, width } = await pixelsOf(svg);
    const wrong = [];
    for (let y = 0; y < matrix.size; y += 1)
      for (let x = 0; x < matrix.size; x += 1)
        if (data[4 * ((8 * y + 4) * width + 8 * x + 4)]! < 128 !== isDark(matrix, x, y))
          wrong.push([x, y]);
    expect(wrong).toEqual([]);
  });

  it('is read by both decoders in every shape', async () => {
    for (const shape of moduleShapes)
      for (const eye of eyeShapes) {
        const look = style({ shape, eye_frame: eye, eye_dot: eye, eye_color: '#8a1010' });
        const svg = drawSvg(matrixOf(), look, { size: 300 });
        expect(await readQr(await pixelsOf(svg))).toEqual({ zxing: [text], zbar: [text] });
      }
  });

  it('leaves a transparent background out', () => {
    const svg = drawSvg(matrixOf(), style({ background: 'transparent' }), { size: 600 });
    expect(svg.match(/<path /g)).toHaveLength(1);
    expect(svg).not.toContain('transparent');
  });
});

describe('a PNG', () => {
  it('has exactly the size that was asked for, from 64 to 4096 pixels', async () => {
    for (const size of [64, 100, 601, 4096])
      for (const look of [style(), style({ shape: 'rounded' })]) {
        const png = sharp(await drawPng(matrixOf(), look, { size }));
        expect(await png.metadata()).toMatchObject({ format: 'png', width: size, height: size });
      }
  });

  it('has modules of whole pixels: of two colors only', async () => {
    const png = await drawPng(matrixOf(), style({ foreground: '#1a2b6b' }), { size: 600 });
    const { data } = await pixelsOf(png);
    const colors = new Set<string>();
    for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 3).join());
    expect([...colors].sort()).toEqual(['255,255,255', '26,43,107']);
    expect((await readQr(await pixelsOf(png))).zbar).toEqual([text]);
  });

  it('keeps a transparent background', async () => {
    for (const shape of moduleShapes) {
      const look = style({ background: 'transparent', shape });
      const { data } = await sharp(await drawPng(matrixOf(), look, { size: 200 }))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(data[3]).toBe(0);
    }
  });
});

describe('a PDF', () => {
  it('is one page of the size in millimeters, of vectors', async () => {
    const pdf = await drawPdf({ matrix: matrixOf(), style: style() }, { size: 50, title: 'Menu' });
    const content = pdf.toString('latin1');
    expect(content.startsWith('%PDF-')).toBe(true);
    expect(content).toContain('/MediaBox [0 0 141.732283 141.732283]');
    expect(content.match(/\/Type \/Page\b/g)).toHaveLength(1);
    expect(content).not.toContain('/Subtype /Image');
  });
});

describe('a logo', () => {
  it('is encoded again as PNG of at most 512 pixels, without metadata', async () => {
    const exifIn = { IFD0: { Copyright: 'secret place' } };
    const upload = await picture(1000, 500).withExif(exifIn).jpeg().toBuffer();
    expect(upload.toString('latin1')).toContain('secret place');
    const logo = await encodeLogo(upload);
    const { exif, ...meta } = await sharp(logo.png).metadata();
    expect(meta).toMatchObject({ format: 'png', width: 512, height: 256 });
    expect(exif).toBeUndefined();
    expect(logo).toMatchObject({ width: 512, height: 256 });
    expect(Buffer.from(logo.png).toString('latin1')).not.toContain('secret place');
  });

  it('is refused if it is no PNG, JPEG or WebP by its first bytes, or damaged', async () => {
    const encode = createLogoEncoder();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
    expect(await encode(Buffer.from(svg))).toBe('type');
    expect(await encode(await picture(9, 9).gif().toBuffer())).toBe('type');
    expect(await encode(Buffer.alloc(0))).toBe('type');
    const png = await picture(99, 99).png().toBuffer();
    expect(await encode(png.subarray(0, 60))).toBe('unreadable');
  });

  it('is refused as busy when too many wait', async () => {
    const encode = createLogoEncoder();
    const png = await picture(9, 9).png().toBuffer();
    const answers = await Promise.all(Array.from({ length: 12 }, () => encode(png)));
    expect(answers.filter((answer) => answer === 'busy')).toHaveLength(3);
    expect(answers.filter((answer) => typeof answer !== 'string')).toHaveLength(9);
  });

  it('is in the center of a code that both decoders read, with a border', async () => {
    const logo = await encodeLogo(await picture(80, 40).png().toBuffer());
    const matrix = matrixOf(true);
    const look = style({ logo: 'id' });
    const svg = drawSvg(matrix, look, { size: 37 * 8, logo });
    expect(svg).toContain('href="data:image/png;base64,');
    const pixels = await pixelsOf(svg);
    expect(await readQr(pixels)).toEqual({ zxing: [text], zbar: [text] });
    const at = 4 * (37 * 4 * pixels.width + 37 * 4);
    expect([...pixels.data.slice(at, at + 3)]).toEqual([192, 64, 32]);
    const png = await drawPng(matrix, look, { size: 400, logo });
    expect((await readQr(await pixelsOf(png))).zxing).toEqual([text]);
    const pdf = await drawPdf({ matrix, style: look, logo }, { size: 50 });
    expect(pdf.toString('latin1')).toContain('/Subtype /Image');
  });
});
