import type { Sharp } from 'sharp';
import { createKeyedSemaphore } from '../../lib/concurrency/keyed-semaphore.ts';

/** `type`: no PNG, JPEG or WebP. `unreadable`: damaged or too large. `busy`: try again later. */
export type PictureRefusal = 'type' | 'unreadable' | 'busy';

/** A WebP of this many pixels takes 160 MB while it is decoded, so one is decoded at a time. */
const maxPixels = 40_000_000;
const maxWaiting = 8;
const timeoutSeconds = 15;

type Format = 'jpeg' | 'png' | 'webp' | 'svg';

/** Drawings that take longer than their pictures are none. */
const maxSvgBytes = 256 * 1024;
/** Pixels of the longer side that a drawing gets, whatever its own size is. */
const svgSide = 512;

/** Whether it is an SVG document. Entities could multiply or read files, so none are accepted. */
function isSvg(bytes: Buffer): boolean {
  if (bytes.length > maxSvgBytes) return false;
  const text = bytes.toString('utf8');
  return (
    /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/.test(text) &&
    !/<!(?:DOCTYPE|ENTITY)/i.test(text)
  );
}

/** The format by the first bytes. Anything else that the library could read is refused. */
function formatOf(bytes: Buffer, acceptsSvg: boolean): Format | undefined {
  const startsWith = (hex: string, at = 0) =>
    bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (startsWith('ffd8ff')) return 'jpeg';
  if (startsWith('89504e470d0a1a0a')) return 'png';
  if (startsWith('52494646') && startsWith('57454250', 8)) return 'webp';
  return acceptsSvg && isSvg(bytes) ? 'svg' : undefined;
}

/** Dots per inch at which a drawing becomes as large as `svgSide`. */
const densityOf = ({ width = svgSide, height = svgSide }): number =>
  Math.min(2400, Math.max(1, (72 * svgSide) / Math.max(width, height, 1)));

async function open(bytes: Buffer, format: Format): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const options = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 } as const;
  const picture = sharp(bytes, options);
  const metadata = await picture.metadata();
  if (metadata.format !== format) throw new Error(`looks like ${format} but is ${metadata.format}`);
  // Drawn once, as pixels: scripts, links and styles of a drawing never leave here.
  if (format === 'svg')
    return sharp(bytes, { ...options, density: densityOf(metadata) }).timeout({
      seconds: timeoutSeconds,
    });
  // `autoOrient` applies the EXIF orientation; the output has no metadata at all.
  return picture.autoOrient().timeout({ seconds: timeoutSeconds });
}

/**
 * Creates the function that re-encodes uploaded pictures (PNG, JPEG or WebP by the first bytes, and
 * SVG if it is accepted), so that nothing but their pixels is kept. One runs at a time, and few
 * wait.
 */
export function createPictureUpload<Encoded>(
  encode: (picture: Sharp) => Promise<Encoded>,
  { acceptsSvg = false }: { acceptsSvg?: boolean } = {},
) {
  const slots = createKeyedSemaphore({ running: 1, waiting: maxWaiting });
  const slot = 'pictures';

  return (bytes: Buffer): Promise<Encoded | PictureRefusal> => {
    const format = formatOf(bytes, acceptsSvg);
    if (format === undefined) return Promise.resolve('type');
    return new Promise((resolve) => {
      const start = () =>
        void open(bytes, format)
          .then(encode)
          .catch((): PictureRefusal => 'unreadable')
          .then(resolve)
          .finally(() => slots.release(slot));
      if (!slots.acquire(slot, start)) resolve('busy');
    });
  };
}
