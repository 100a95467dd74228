import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogoEncoder, type Logo } from '../../../../src/areas/qr/drawing/logo.ts';
import { encodeQr } from '../../../../src/areas/qr/drawing/matrix.ts';
import { drawPdf } from '../../../../src/areas/qr/drawing/pdf.ts';
import type { DrawnCode } from '../../../../src/areas/qr/drawing/pdf-code.ts';
import { drawSheet, type SheetCode } from '../../../../src/areas/qr/drawing/sheet.ts';
import {
  layoutOf,
  type SheetLayout,
  SheetOptions,
} from '../../../../src/areas/qr/drawing/sheet-layout.ts';
import { eyeShapes, moduleShapes, QrStyle } from '../../../../src/areas/qr/drawing/style.ts';
import { loadDecoders, type QrReadings } from '../../../../src/areas/qr/reading/decoders.ts';
import { hasProgram, pixelsOf } from '../../../support/qr-images.ts';

const run = promisify(execFile);
const dotsPerInch = 300;

let logo: Logo;

const folder = await mkdtemp(join(tmpdir(), 'qr-sheets-'));
const readQr = await loadDecoders();
beforeAll(async () => {
  const create = { width: 64, height: 64, channels: 3 as const, background: '#c04020' };
  const encoded = await createLogoEncoder()(await sharp({ create }).png().toBuffer());
  if (typeof encoded === 'string') throw new Error(encoded);
  logo = encoded;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A code of one of all styles; every third has a logo. */
function codeOf(text: string, at: number): DrawnCode {
  const withLogo = at % 3 === 0;
  const style = QrStyle.parse({
    shape: moduleShapes[at % 3],
    eye_frame: eyeShapes[Math.floor(at / 3) % 3],
    eye_dot: eyeShapes[Math.floor(at / 9) % 3],
    foreground: at % 2 === 0 ? '#000000' : '#1a2b6b',
    background: at % 5 === 0 ? 'transparent' : '#ffffff',
    eye_color: at % 4 === 0 ? '#8a1010' : null,
    margin: 2,
    logo: withLogo ? 'id' : null,
  });
  const encoding = encodeQr(text, style.level, { forLogo: withLogo });
  if (!encoding.fits) throw new Error('too long');
  return { matrix: encoding.matrix, style, ...(withLogo && { logo }) };
}

const textOf = (at: number): string => `https://svc.example/q/${String(at).padStart(6, 'x')}`;

const sheetCodes = (count: number): SheetCode[] =>
  Array.from({ length: count }, (_, at) => ({
    ...codeOf(textOf(at), at),
    name: at === 1 ? 'A name that is far too long for a label, so that it is cut' : `Größe ${at}`,
    link: `svc.example/q/${String(at).padStart(6, 'x')}`,
  }));

/** Prints a PDF to pixels: an image for each page. */
async function print(pdf: Buffer): Promise<string[]> {
  const into = await mkdtemp(join(folder, 'pages-'));
  await writeFile(join(into, 'sheet.pdf'), pdf);
  const args = ['-r', String(dotsPerInch), '-png', join(into, 'sheet.pdf'), join(into, 'page')];
  const { stderr } = await run('pdftoppm', args);
  expect(stderr).toBe('');
  const pages = (await readdir(into)).filter((name) => name.endsWith('.png')).sort();
  return pages.map((page) => join(into, page));
}

/** Reads each cell of a page, as a camera that is held over it. */
async function readCells(page: string, layout: SheetLayout): Promise<QrReadings[]> {
  const readings: QrReadings[] = [];
  const { data, info } = await sharp(page).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = (mm: number): number => Math.round((mm / 25.4) * dotsPerInch);
  for (let at = 0; at < layout.columns * layout.rows; at += 1) {
    const cell = {
      left: pixels(layout.left + (at % layout.columns) * layout.pitchX),
      top: pixels(layout.top + Math.floor(at / layout.columns) * layout.pitchY),
      width: pixels(layout.width),
      height: pixels(layout.height),
    };
    const whole = sharp(data, { raw: { width, height, channels } });
    readings.push(await readQr(await pixelsOf(await whole.extract(cell).png().toBuffer())));
  }
  return readings;
}

async function sheetOf(codes: SheetCode[], options: object): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of drawSheet(codes, SheetOptions.parse(options))) parts.push(part);
  return Buffer.concat(parts);
}

describe.skipIf(!hasProgram('pdftoppm'))('on paper', () => {
  it.each([
    [{ layout: 'l7160' }, 30],
    [{ layout: '5160', paper: 'letter' }, 40],
    [{ layout: 'grid', columns: 3 }, 20],
    [{ layout: 'grid', columns: 8, paper: 'letter' }, 90],
  ])('both decoders read every code of %j', async (options, count) => {
    const layout = layoutOf(SheetOptions.parse(options));
    const cells: QrReadings[] = [];
    for (const page of await print(await sheetOf(sheetCodes(count), options)))
      cells.push(...(await readCells(page, layout)));
    expect(cells.length).toBeGreaterThan(count);
    const expected = cells.map((_, at) => (at < count ? [textOf(at)] : []));
    expect(cells).toEqual(expected.map((texts) => ({ zxing: texts, zbar: texts })));
  });

  it('the captions are texts, cut to the label', async () => {
    const path = join(folder, 'captions.pdf');
    await writeFile(path, await sheetOf(sheetCodes(3), { layout: 'l7160' }));
    const { stdout } = await run('pdftotext', ['-layout', path, '-']);
    expect(stdout).toContain('Größe 0');
    expect(stdout).toContain('svc.example/q/xxxxx2');
    expect(stdout).toContain('A name that is far too long for a label');
    expect(stdout).toContain('…');
    expect(stdout).not.toContain('so that it is cut');
  });

  it('both decoders read a document of one code, in every style', async () => {
    for (let at = 0; at < 27; at += 1) {
      const text = textOf(at);
      const [page = ''] = await print(await drawPdf(codeOf(text, at), { size: 30 }));
      const readings = await readQr(await pixelsOf(await readFile(page)));
      expect(readings, String(at)).toEqual({ zxing: [text], zbar: [text] });
    }
  });
});
