import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DrawnCode } from '../drawing/pdf-code.ts';
import { checkStyle } from '../drawing/style-check.ts';
import { createReader, type ReaderOptions } from './reader.ts';
import { problemOfStyle, type QrProblem } from './verdict.ts';

const maxVerdicts = 2000;

/** What decides whether a code is readable, besides the bits of its text. */
function kindOf({ matrix, style, logo }: DrawnCode): string {
  const picture = logo && createHash('sha256').update(logo.png).digest('base64url');
  return JSON.stringify([matrix.version, matrix.level, { ...style, logo: picture ?? null }]);
}

/**
 * Creates the check that every styled code passes before it is served: both decoders have to read
 * exactly its text.
 *
 * A good verdict stands for all texts with the same version, style and logo: colors, shapes and the
 * modules that a logo hides are the same, and the limits of styles keep a margin for what differs,
 * which is where dark modules are. A bad verdict is for its text alone, so that one unlucky text
 * does not refuse others.
 */
export function createReadability(options: ReaderOptions) {
  const reader = createReader(options);
  const readable = new LRUCache<string, true>({ max: maxVerdicts });
  const running = new Map<string, Promise<QrProblem | 'busy' | undefined>>();

  async function checkAs(kind: string, code: DrawnCode) {
    const verdict = await reader.check(code);
    if (verdict === undefined) readable.set(kind, true);
    return verdict;
  }

  return {
    /**
     * Returns why a code is not readable, undefined if it is, or `busy` if too many checks wait.
     * Takes 15 to 100 ms, or nothing for a kind of codes that is known to be readable. Rejects with
     * a QrReaderError if the check fails.
     */
    async check(code: DrawnCode): Promise<QrProblem | 'busy' | undefined> {
      const problem = checkStyle(code.style);
      if (problem !== undefined) return problemOfStyle(problem);
      const kind = kindOf(code);
      if (readable.has(kind)) return undefined;
      const same = running.get(kind);
      if (same !== undefined && (await same.catch(() => 'failed')) === undefined) return undefined;
      const verdict = checkAs(kind, code);
      if (running.has(kind)) return verdict;
      running.set(kind, verdict);
      return verdict.finally(() => running.delete(kind));
    },

    /** Ends the thread, after the running check. Checks that wait are refused. */
    close: (): Promise<void> => reader.close(),
  };
}

export type Readability = ReturnType<typeof createReadability>;
