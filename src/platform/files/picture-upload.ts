import type { Sharp } from 'sharp';
import { createKeyedSemaphore } from '../../lib/concurrency/keyed-semaphore.ts';

/** `type`: no PNG, JPEG or WebP. `unreadable`: damaged or too large. `busy`: try again later. */
export type PictureRefusal = 'type' | 'unreadable' | 'busy';

/** A WebP of this many pixels takes 160 MB while it is decoded, so one is decoded at a time. */
const maxPixels = 40_000_000;
const maxWaiting = 8;
const timeoutSeconds = 15;

type Format = 'jpeg' | 'png' | 'webp';

/** The format by the first bytes. SVG and anything else that the library could read is refused. */
function formatOf(bytes: Buffer): Format | undefined {
  const startsWith = (hex: string, at = 0) =>
    bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (startsWith('ffd8ff')) return 'jpeg';
  if (startsWith('89504e470d0a1a0a')) return 'png';
  return startsWith('52494646') && startsWith('57454250', 8) ? 'webp' : undefined;
}

async function open(bytes: Buffer, format: Format): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  const { format: actual } = await picture.metadata();
  if (actual !== format) throw new Error(`looks like ${format} but is ${actual}`);
  // `autoOrient` applies the EXIF orientation; the output has no metadata at all.
  return picture.autoOrient().timeout({ seconds: timeoutSeconds });
}

/**
 * Creates the function that re-encodes uploaded pictures (PNG, JPEG or WebP by the first bytes), so
 * that nothing but their pixels is kept. One runs at a time, and few wait.
 */
export function createPictureUpload<Encoded>(encode: (picture: Sharp) => Promise<Encoded>) {
  const slots = createKeyedSemaphore({ running: 1, waiting: maxWaiting });
  const slot = 'pictures';

  return (bytes: Buffer): Promise<Encoded | PictureRefusal> => {
    const format = formatOf(bytes);
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
