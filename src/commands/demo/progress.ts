import { SingleBar } from 'cli-progress';
import { durationText } from '../service/progress.ts';

export interface FillProgressOptions {
  /** A terminal gets a bar, anything else a line for each tenth. */
  terminal: NodeJS.WriteStream | undefined;
  say: (line: string) => void;
  now?: () => number;
}

const format = '[{bar}] {percentage} % {what}';

/** Shows how far the filling is: `share` from 0 to 1 of all, and what is being made. */
export function createFillProgress({ terminal, say, now = Date.now }: FillProgressOptions) {
  const began = now();
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
  let told = -1;

  return {
    show(share: number, what: string): void {
      const percent = Math.min(100, Math.floor(share * 100));
      bar?.update(percent, { what });
      const tenth = Math.floor(percent / 10);
      if (bar !== undefined || tenth <= told) return;
      told = tenth;
      say(`  ${String(percent).padStart(3)} % ${what}`);
    },
    /** Takes the bar away. Gives how long it took, as people read it. */
    stop(): string {
      bar?.stop();
      return durationText((now() - began) / 1000);
    },
  };
}

export type FillProgress = ReturnType<typeof createFillProgress>;
