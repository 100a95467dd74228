import { createKeyedSemaphore } from '../../../lib/concurrency/keyed-semaphore.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { contrastOn } from '../drawing/contrast.ts';
import type { DrawnCode } from '../drawing/pdf-code.ts';
import { drawSvg } from '../drawing/svg.ts';
import { qrErrors } from '../errors.ts';
import type { Pictured } from './service.ts';

/** Of one person: one is drawn and read at a time, and the newest waits for it. */
const limits = { running: 1, waiting: 1 } as const;

/** A picture that is not stored: what it looks like, and whether decoders read it. */
export interface Preview {
  /** Undefined where the text does not fit into a code. */
  svg: string | undefined;
  /** What to change, from the decoders; undefined for a code that both of them read. */
  problem: string | undefined;
  /** Of the code on its background, 1 to 21 (WCAG 2.2). */
  contrast: number;
}

interface PreviewDeps {
  encode: (pictured: Pictured) => Promise<DrawnCode>;
  /** Throws `qr.unreadable` with the reason. */
  requireReadable: (code: DrawnCode) => Promise<void>;
}

/** Creates what draws codes while somebody makes them. */
export function createPreviews({ encode, requireReadable }: PreviewDeps) {
  const semaphore = createKeyedSemaphore(limits);

  async function draw(pictured: Pictured, size: number): Promise<Preview> {
    const { foreground, background } = pictured.style;
    const contrast = contrastOn(foreground, background === 'transparent' ? '#ffffff' : background);
    let svg: string | undefined;
    try {
      const code = await encode(pictured);
      const { matrix, style, logo } = code;
      svg = drawSvg(matrix, style, { size, logo });
      await requireReadable(code);
      return { svg, problem: undefined, contrast };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { svg, problem: error.message, contrast };
    }
  }

  /**
   * Draws a code at a size in pixels, and says whether decoders read it. `by` is whoever looks at
   * it: others never wait for that person's pictures. Throws `qr.busy` while two are unfinished.
   */
  return (pictured: Pictured, size: number, by: string): Promise<Preview> =>
    new Promise((resolve, reject) => {
      const start = () =>
        void draw(pictured, size)
          .then(resolve, reject)
          .finally(() => semaphore.release(by));
      if (!semaphore.acquire(by, start)) reject(qrErrors.busy({ headers: { 'retry-after': '1' } }));
    });
}
