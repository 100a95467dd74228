import { SingleBar } from 'cli-progress';
import { durationText } from '../service/progress.ts';

export interface FillProgressOptions {
  /** Undefined: prints a line for every 10 % instead of a bar. */
  terminal: NodeJS.WriteStream | undefined;
  say: (line: string) => void;
  now?: () => number;
}

const format = '[{bar}] {percentage} % {what}';

/** Shows the progress of filling: `share` is from 0 to 1, `what` names the current step. */
export function createFillProgress({ terminal, say, now = Date.now }: FillProgressOptions) {
  const startedAt = now();
  const bar =
    terminal === undefined
      ? undefined
      : new SingleBar({
          format,
          stream: terminal,
          barsize: 30,
          hideCursor: true,
          clearOnComplete: true,
          linewrap: false,
          gracefulExit: false,
        });
  bar?.start(100, 0, { what: '' });
  let lastTenth = -1;

  return {
    show(share: number, what: string): void {
      const percent = Math.min(100, Math.floor(share * 100));
      bar?.update(percent, { what });
      const tenth = Math.floor(percent / 10);
      if (bar !== undefined || tenth <= lastTenth) return;
      lastTenth = tenth;
      say(`  ${String(percent).padStart(3)} % ${what}`);
    },
    /** Removes the bar. Returns the elapsed time as text. */
    stop(): string {
      bar?.stop();
      return durationText((now() - startedAt) / 1000);
    },
  };
}

export type FillProgress = ReturnType<typeof createFillProgress>;
