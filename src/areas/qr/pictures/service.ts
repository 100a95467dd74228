import { LRUCache } from 'lru-cache';
import {
  createKeyedSemaphore,
  type KeyedSemaphoreLimits,
} from '../../../lib/concurrency/keyed-semaphore.ts';
import type { Cacheable } from '../../../platform/http/etag.ts';
import { encodeQr } from '../drawing/matrix.ts';
import { drawPdf } from '../drawing/pdf.ts';
import type { DrawnCode } from '../drawing/pdf-code.ts';
import { drawPng } from '../drawing/png.ts';
import { QrStyle } from '../drawing/style.ts';
import { drawSvg } from '../drawing/svg.ts';
import { qrErrors } from '../errors.ts';
import type { Readability } from '../reading/readability.ts';
import type { Logos } from './logos.ts';
import { createPreviews } from './previews.ts';

/** The media types of pictures. */
export const pictureTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
} as const;
export type PictureFormat = keyof typeof pictureTypes;

/** What a picture shows and how. */
export interface Pictured {
  text: string;
  style: QrStyle;
}

/** How a picture is drawn. */
interface Drawing {
  format: PictureFormat;
  /** Pixels, or a tenth of a millimeter for PDF. */
  size: number;
  title?: string;
}

const plain = QrStyle.parse({});
/**
 * Drawn concurrently in one process: a PNG of 4,096 pixels takes 64 MB. Requests of anonymous
 * clients have a slot of their own, so that no number of them keeps admins waiting; that includes
 * the check by decoders.
 */
const slots = {
  members: { running: 2, waiting: 60 },
  anonymous: { running: 1, waiting: 12 },
} as const;
const retryAfter = { headers: { 'retry-after': '5' } };

/** Of pictures of any text that are kept, so that the same ones cost nothing. */
const maxDrawnBytes = 8 * 1024 * 1024;

/** Draws codes, and refuses those that can't be read. */
export function createPictures({
  logos,
  readability,
}: {
  logos: Pick<Logos, 'find'>;
  readability: Pick<Readability, 'check'>;
}) {
  const [inMemberSlot, inPublicSlot] = [createSlots(slots.members), createSlots(slots.anonymous)];
  const drawn = new LRUCache<string, Cacheable>({
    maxSize: maxDrawnBytes,
    sizeCalculation: ({ content }, key) => content.length + key.length,
  });
  const preview = createPreviews({
    encode: (pictured) => encode(pictured, {}),
    requireReadable: (code) => requireReadable(code, {}),
  });
  return { readable, draw, drawAny, preview };

  /**
   * Encodes a code that both decoders read. Throws `qr.too_long`, `qr.logo_unknown`, `qr.busy`, and
   * `qr.unreadable` with the reason when a decoder can't read it. `at`: where the request says
   * what can't be drawn. Default: in its body.
   */
  async function readable(
    pictured: Pictured,
    at: { loc?: readonly string[] } = {},
  ): Promise<DrawnCode> {
    const code = await encode(pictured, at);
    await requireReadable(code, at);
    return code;
  }

  async function requireReadable(code: DrawnCode, at: { loc?: readonly string[] }): Promise<void> {
    if (isPlain(code.style)) return;
    const problem = await readability.check(code);
    if (problem === 'busy') throw qrErrors.busy(retryAfter);
    if (problem !== undefined) throw qrErrors.unreadable({ ...at, detail: problem.advice });
  }

  /** Draws a code as a file. Throws the same as `readable`. */
  async function draw(pictured: Pictured, how: Drawing, inSlot = inMemberSlot): Promise<Buffer> {
    const code = await readable(pictured, { loc: ['query'] });
    return how.format === 'svg' ? drawAs(code, how) : inSlot(() => drawAs(code, how));
  }

  /** Like `draw`, for texts that are stored nowhere. Strangers get one at a time. */
  async function drawAny(
    pictured: Pictured,
    how: Drawing,
    usesPublicSlots: boolean,
  ): Promise<Cacheable> {
    const key = JSON.stringify([pictured, how.format, how.size]);
    const picture = drawn.get(key) ?? {
      content: await (usesPublicSlots
        ? inPublicSlot(() => draw(pictured, how, (work) => work()))
        : draw(pictured, how)),
      type: pictureTypes[how.format],
      cacheControl: 'public, max-age=86400',
    };
    drawn.set(key, picture);
    return picture;
  }

  async function encode(
    { text, style }: Pictured,
    at: { loc?: readonly string[] },
  ): Promise<DrawnCode> {
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
}

export type Pictures = ReturnType<typeof createPictures>;

/** True for black squares on white, which every decoder reads. */
const isPlain = (style: QrStyle): boolean =>
  style.margin >= plain.margin &&
  JSON.stringify({ ...style, level: plain.level, margin: plain.margin }) === JSON.stringify(plain);

/** Creates the function that does a work once a slot is free. Rejects with `qr.busy`. */
function createSlots(limits: KeyedSemaphoreLimits) {
  const semaphore = createKeyedSemaphore(limits);
  const key = 'pictures';
  return (work: () => Promise<Buffer>): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const start = () =>
        void work()
          .then(resolve, reject)
          .finally(() => semaphore.release(key));
      if (!semaphore.acquire(key, start)) reject(qrErrors.busy(retryAfter));
    });
}

async function drawAs(code: DrawnCode, { format, size, title }: Drawing): Promise<Buffer> {
  const { matrix, style, logo } = code;
  const named = title === undefined ? {} : { title };
  if (format === 'png') return drawPng(matrix, style, { size, logo });
  if (format === 'pdf') return drawPdf(code, { size: size / 10, ...named });
  return Buffer.from(drawSvg(matrix, style, { size, logo, ...named }));
}
