import type { DrawnCode } from '../drawing/pdf-code.ts';
import type { QrProblem } from './verdict.ts';

/** One `check` at a time: the next follows the result. After `stop`, the thread ends. */
export type ToReader = { kind: 'check'; code: DrawnCode } | { kind: 'stop' };

export type FromReader =
  { kind: 'checked'; problem: QrProblem | undefined } | { kind: 'failed'; message: string };
