import { createKeyedSemaphore } from '../../../../lib/concurrency/keyed-semaphore.ts';
import { accountErrors } from '../errors.ts';

/** Width and height of stored pictures. */
const side = 256;
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

async function encode(bytes: Buffer, format: Format): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  const { format: actual } = await picture.metadata();
  if (actual !== format) throw new Error(`looks like ${format} but is ${actual}`);
  // `autoOrient` applies the EXIF orientation; the output has no metadata at all.
  return picture
    .autoOrient()
    .resize(side, side, { fit: 'cover' })
    .webp({ quality: 82 })
    .timeout({ seconds: timeoutSeconds })
    .toBuffer();
}

/**
 * Creates the function that turns an uploaded picture into a WebP of 256 pixels square without
 * metadata. One runs at a time and few wait. Throws `account.avatar_type`, `.avatar_unreadable`,
 * `.avatar_busy`.
 */
export function createAvatarEncoding() {
  const slots = createKeyedSemaphore({ running: 1, waiting: maxWaiting });
  const slot = 'avatars';

  const inSlot = (work: () => Promise<Buffer>): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const start = () =>
        void work()
          .then(resolve, reject)
          .finally(() => slots.release(slot));
      if (!slots.acquire(slot, start))
        reject(accountErrors.avatar_busy({ headers: { 'retry-after': '5' } }));
    });

  return async (bytes: Buffer): Promise<Buffer> => {
    const format = formatOf(bytes);
    if (format === undefined) throw accountErrors.avatar_type();
    return inSlot(() =>
      encode(bytes, format).catch((cause: unknown) => {
        throw accountErrors.avatar_unreadable({ cause });
      }),
    );
  };
}
