import { createKeyedSemaphore } from '../../../lib/concurrency/keyed-semaphore.ts';
import { encodeQr } from '../drawing/matrix.ts';
import { drawPdf } from '../drawing/pdf.ts';
import type { DrawnCode } from '../drawing/pdf-code.ts';
import { drawPng } from '../drawing/png.ts';
import { QrStyle } from '../drawing/style.ts';
import { drawSvg } from '../drawing/svg.ts';
import { qrErrors } from '../errors.ts';
import type { Readability } from '../reading/readability.ts';
import type { Logos } from './logos.ts';

export interface PicturesOptions {
  logos: Pick<Logos, 'find'>;
  readability: Pick<Readability, 'check'>;
}

/** Where the request says what can't be drawn. Default: in its body. */
interface Place {
  loc?: readonly string[];
}

export type PictureFormat = 'svg' | 'png' | 'pdf';

/** What a picture shows and how. */
export interface Pictured {
  text: string;
  style: QrStyle;
}

/** How a picture is drawn. */
export interface Drawing {
  format: PictureFormat;
  /** Pixels, or a tenth of a millimeter for PDF. */
  size: number;
  title?: string;
}

const plain = QrStyle.parse({});
/** Drawn at once in one process: a PNG of 4,096 pixels takes 64 MB. */
const slots = { running: 2, waiting: 60 };
const slot = 'pictures';
const retryAfter = { headers: { 'retry-after': '5' } };

/** True for black squares on white, which every decoder reads. */
const isPlain = (style: QrStyle): boolean =>
  style.margin >= plain.margin &&
  JSON.stringify({ ...style, level: plain.level, margin: plain.margin }) === JSON.stringify(plain);

/** Draws codes, and refuses those that can't be read. */
export function createPictures({ logos, readability }: PicturesOptions) {
  const drawing = createKeyedSemaphore(slots);

  async function encode({ text, style }: Pictured, at: Place): Promise<DrawnCode> {
    const logo = style.logo === null ? undefined : await logos.find(style.logo);
    if (style.logo !== null && logo === undefined) throw qrErrors.logo_unknown();
    const encoded = encodeQr(text, style.level, { forLogo: logo !== undefined });
    if (!encoded.fits) {
      const { level, length, capacity } = encoded;
      const detail =
        `The text has ${length} of at most ${capacity} characters for a code of the level ` +
        `${level}. Shorten it, or use a lower level.`;
      throw qrErrors.too_long({ ...at, detail });
    }
    return { matrix: encoded.matrix, style, logo };
  }

  /** Encodes a code that both decoders read. */
  async function readable(pictured: Pictured, at: Place = {}): Promise<DrawnCode> {
    const code = await encode(pictured, at);
    if (isPlain(code.style)) return code;
    const problem = await readability.check(code);
    if (problem === 'busy') throw qrErrors.busy(retryAfter);
    if (problem === undefined) return code;
    throw qrErrors.unreadable({ ...at, detail: problem.advice });
  }

  function inSlot<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = () =>
        void work()
          .then(resolve, reject)
          .finally(() => drawing.release(slot));
      if (!drawing.acquire(slot, start)) reject(qrErrors.busy(retryAfter));
    });
  }

  function draw(code: DrawnCode, { format, size, title }: Drawing): Promise<Buffer> {
    const { matrix, style, logo } = code;
    const named = title === undefined ? {} : { title };
    if (format === 'png') return inSlot(() => drawPng(matrix, style, { size, logo }));
    if (format === 'pdf') return inSlot(() => drawPdf(code, { size: size / 10, ...named }));
    return Promise.resolve(Buffer.from(drawSvg(matrix, style, { size, logo, ...named })));
  }

  return {
    /**
     * Throws `qr.too_long`, `qr.logo_unknown`, `qr.busy`, and `qr.unreadable` with the reason when
     * a decoder can't read the code.
     */
    readable,

    /** Draws a code as a file. Throws the same as `readable`. */
    draw: async (pictured: Pictured, how: Drawing): Promise<Buffer> =>
      draw(await readable(pictured, { loc: ['query'] }), how),
  };
}

export type Pictures = ReturnType<typeof createPictures>;
