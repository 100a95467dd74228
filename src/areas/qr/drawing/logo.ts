import { createKeyedSemaphore } from '../../../lib/concurrency/keyed-semaphore.ts';

/** A logo as it is kept and drawn: PNG without metadata. */
export interface Logo {
  png: Uint8Array;
  /** Pixels, at most 512. */
  width: number;
  height: number;
}

/** `type`: no PNG, JPEG or WebP. `unreadable`: damaged or too large. `busy`: try again later. */
export type LogoRefusal = 'type' | 'unreadable' | 'busy';

const side = 512;
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

async function encode(bytes: Buffer, format: Format): Promise<Logo> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  const { format: actual } = await picture.metadata();
  if (actual !== format) throw new Error(`looks like ${format} but is ${actual}`);
  // `autoOrient` applies the EXIF orientation; the output has no metadata at all.
  const { data, info } = await picture
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .png()
    .timeout({ seconds: timeoutSeconds })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/**
 * Creates the function that turns an upload (PNG, JPEG or WebP by its first bytes) into a logo of
 * at most 512 pixels on a side, without metadata. One runs at a time, and few wait.
 */
export function createLogoEncoding() {
  const slots = createKeyedSemaphore({ running: 1, waiting: maxWaiting });
  const slot = 'logos';

  return (bytes: Buffer): Promise<Logo | LogoRefusal> => {
    const format = formatOf(bytes);
    if (format === undefined) return Promise.resolve('type');
    return new Promise((resolve) => {
      const start = () =>
        void encode(bytes, format)
          .catch((): LogoRefusal => 'unreadable')
          .then(resolve)
          .finally(() => slots.release(slot));
      if (!slots.acquire(slot, start)) resolve('busy');
    });
  };
}
