import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogoEncoder, type Logo } from '../../../../src/areas/qr/drawing/logo.ts';
import { encodeQr, type QrMatrix } from '../../../../src/areas/qr/drawing/matrix.ts';
import type { DrawnCode } from '../../../../src/areas/qr/drawing/pdf-code.ts';
import { QrStyle } from '../../../../src/areas/qr/drawing/style.ts';
import { drawSvg } from '../../../../src/areas/qr/drawing/svg.ts';
import { checkDrawn } from '../../../../src/areas/qr/reading/check.ts';
import { loadDecoders } from '../../../../src/areas/qr/reading/decoders.ts';
import {
  createReadability,
  type Readability,
} from '../../../../src/areas/qr/reading/readability.ts';
import { QrReaderError } from '../../../../src/areas/qr/reading/reader.ts';
import { pixelsOf } from '../../../support/qr-images.ts';

const script = pathToFileURL(join(import.meta.dirname, '../../../../dist/qr-reader.js'));

function codeOf(text: string, style: object = {}, logo?: Logo): DrawnCode {
  const parsed = QrStyle.parse({ logo: logo === undefined ? null : 'a-logo', ...style });
  const encoding = encodeQr(text, parsed.level, { forLogo: logo !== undefined });
  if (!encoding.fits) throw new Error('too long');
  return { matrix: encoding.matrix, style: parsed, logo };
}

/** A code whose modules do not say what its text is: no decoder can read that from it. */
function wrongCode(style: object = {}): DrawnCode {
  const code = codeOf('what it says', style);
  return { ...code, matrix: { ...code.matrix, text: 'what it should say' } };
}

/** The modules, with every so many inverted. */
const damage = ({ modules, reserved }: QrMatrix, every: number): Uint8Array =>
  modules.map((module, at) => (reserved[at] === 0 && at % every === 0 ? 1 - module : module));

async function makeLogo(): Promise<Logo> {
  const create = { width: 64, height: 64, channels: 3 as const, background: '#c04020' };
  const logo = await createLogoEncoder()(await sharp({ create }).png().toBuffer());
  if (typeof logo === 'string') throw new Error(logo);
  return logo;
}

/** Counts the threads that are started, and those that have ended. */
function countedReaders() {
  const counts = { started: 0, ended: 0 };
  const workers: Worker[] = [];
  return {
    counts,
    workers,
    newReader: (): Worker => {
      counts.started += 1;
      const worker = new Worker(script);
      worker.on('exit', () => (counts.ended += 1));
      workers.push(worker);
      return worker;
    },
  };
}

const readQr = await loadDecoders();

describe('the decoders', () => {
  it('read the exact text of a code, of any script', async () => {
    for (const text of ['https://svc.example/q/4k7m', 'Größe 日本語 ✓\nline', '0123456789']) {
      const { matrix, style } = codeOf(text);
      const pixels = await pixelsOf(drawSvg(matrix, style, { size: 200 }));
      expect(await readQr(pixels)).toEqual({ zxing: [text], zbar: [text] });
    }
  });

  it('find nothing in an empty image', async () => {
    const empty = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>';
    expect(await readQr(await pixelsOf(empty))).toEqual({ zxing: [], zbar: [] });
  });

  it('find every code in an image with several', async () => {
    const pictures = ['one', 'two'].map((text) => {
      const { matrix, style } = codeOf(text);
      return Buffer.from(drawSvg(matrix, style, { size: 180 }));
    });
    const create = { width: 400, height: 200, channels: 3 as const, background: '#ffffff' };
    const image = await sharp({ create })
      .composite(pictures.map((input, at) => ({ input, left: 200 * at, top: 10 })))
      .png()
      .toBuffer();
    const { zxing, zbar } = await readQr(await pixelsOf(image));
    expect(zxing.sort()).toEqual(['one', 'two']);
    expect(zbar.sort()).toEqual(['one', 'two']);
  });

  it('fetch nothing from the network', async () => {
    const { fetch } = globalThis;
    const asked: unknown[] = [];
    globalThis.fetch = (input) => {
      asked.push(input);
      return Promise.reject(new Error('no network'));
    };
    try {
      await loadDecoders();
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual([]);
  });
});

describe('a check of a drawn code', () => {
  it('says that it is the logo, if the code is readable without it', async () => {
    const code = codeOf('https://svc.example/q/4k7m', { level: 'M' }, await makeLogo());
    expect(await checkDrawn(readQr, code)).toBeUndefined();
    const { matrix } = code;
    // Damage that the level makes up for, but not together with the logo.
    const verdicts = [];
    for (const every of [48, 44, 40, 36, 32]) {
      const damaged = { ...code, matrix: { ...matrix, modules: damage(matrix, every) } };
      const isReadableWithout = !(await checkDrawn(readQr, { ...damaged, logo: undefined }));
      if (isReadableWithout) verdicts.push(await checkDrawn(readQr, damaged));
    }
    expect(verdicts.find((verdict) => verdict !== undefined)).toMatchObject({
      reason: 'logo_too_large',
      advice: 'Use a higher level, a shorter text or a simpler logo.',
    });
  });

  it('names the decoder that does not find exactly the text', async () => {
    expect(await checkDrawn(readQr, wrongCode())).toEqual({
      reason: 'unreadable',
      decoder: 'zxing',
      advice: 'Use square modules and eyes, more contrast or a shorter text.',
    });
  });
});

describe('readability', () => {
  const readers = countedReaders();
  const readability: Readability = createReadability({ newReader: readers.newReader });
  afterAll(() => readability.close());

  it('is refused by the colors alone, without a thread', async () => {
    expect(await readability.check(codeOf('pale', { foreground: '#dddddd' }))).toEqual({
      reason: 'contrast',
      decoder: null,
      advice:
        'The contrast of the foreground on the background is 1.3, and must be 3 or more. ' +
        'Use a darker foreground or a lighter background.',
    });
    expect(readers.counts.started).toBe(0);
  });

  it('is checked in one thread, for styles and logos', async () => {
    const logo = await makeLogo();
    const codes = [
      codeOf('https://svc.example/q/1'),
      codeOf('https://svc.example/q/1', { shape: 'dots', eye_frame: 'circle' }),
      codeOf('https://svc.example/q/1', { level: 'Q' }, logo),
    ];
    for (const verdict of await Promise.all(codes.map((code) => readability.check(code))))
      expect(verdict).toBeUndefined();
    expect(readers.counts.started).toBe(1);
  });

  it('is known for other texts of a style and version, and checked again for another', async () => {
    await readability.check(codeOf('https://svc.example/q/2'));
    const messages: unknown[] = [];
    readers.workers[0]!.on('message', (message: unknown) => messages.push(message));
    expect(await readability.check(codeOf('https://svc.example/q/3'))).toBeUndefined();
    expect(messages.length).toBe(0);
    await readability.check(codeOf('https://svc.example/q/3', { margin: 2 }));
    expect(messages.length).toBe(1);
    await readability.check(codeOf('https://svc.example/q/3'.repeat(3)));
    expect(messages.length).toBe(2);
  });

  it('a bad verdict is for its text alone', async () => {
    const style = { margin: 3 };
    const [bad, good] = await Promise.all([
      readability.check(wrongCode(style)),
      readability.check(codeOf('what it says', style)),
    ]);
    expect(bad).toMatchObject({ reason: 'unreadable' });
    expect(good).toBeUndefined();
  });
});

describe('the thread of the decoders', () => {
  it('refuses as busy what would wait too long, and answers the others', async () => {
    const { newReader } = countedReaders();
    const readability = createReadability({ newReader, waiting: 2 });
    const verdicts = await Promise.all(
      [1, 2, 3, 4, 5].map((margin) => readability.check(codeOf('busy', { margin }))),
    );
    expect(verdicts).toEqual([undefined, undefined, undefined, 'busy', 'busy']);
    await readability.close();
  });

  it('ends when it is idle, and starts again for the next check', async () => {
    const { newReader, counts } = countedReaders();
    const readability = createReadability({ newReader, idleMs: 1 });
    expect(await readability.check(codeOf('idle', { margin: 1 }))).toBeUndefined();
    await expect.poll(() => counts.ended).toBe(1);
    expect(await readability.check(codeOf('idle', { margin: 2 }))).toBeUndefined();
    expect(counts.started).toBe(2);
    await readability.close();
    expect(counts.ended).toBe(2);
  });

  it('is replaced after it has died: the running check fails, the next one does not', async () => {
    const { newReader, workers, counts } = countedReaders();
    const readability = createReadability({ newReader });
    const running = readability.check(codeOf('dies', { margin: 1 }));
    const waiting = readability.check(codeOf('dies', { margin: 2 }));
    void workers[0]!.terminate();
    await expect(running).rejects.toThrow(QrReaderError);
    expect(await waiting).toBeUndefined();
    expect(counts.started).toBe(2);
    await readability.close();
  });

  it('is ended when a check takes too long', async () => {
    const { newReader, counts } = countedReaders();
    const readability = createReadability({ newReader, timeoutMs: 1 });
    await expect(readability.check(codeOf('slow'))).rejects.toThrow(QrReaderError);
    await expect.poll(() => counts.ended).toBe(1);
    await readability.close();
  });

  it('is gone after closing, and what waits is refused', async () => {
    const { newReader, counts } = countedReaders();
    const readability = createReadability({ newReader });
    const running = readability.check(codeOf('closing', { margin: 1 }));
    const waiting = readability.check(codeOf('closing', { margin: 2 }));
    const refused = expect(waiting).rejects.toThrow(QrReaderError);
    await readability.close();
    await refused;
    expect(await running).toBeUndefined();
    expect(counts).toEqual({ started: 1, ended: 1 });
    await expect(readability.check(codeOf('closed'))).rejects.toThrow(QrReaderError);
  });
});
