import { SingleBar } from 'cli-progress';

/**
 * Shows the progress of filling: `share` is from 0 to 1, `what` names the current step. Without a
 * terminal it prints a line for every 10 % instead of a bar.
 */
export function createFillProgress(
  terminal: NodeJS.WriteStream | undefined,
  say: (line: string) => void,
) {
  const bar = new SingleBar({
    ...{ format: '[{bar}] {percentage} % {what}', barsize: 30, hideCursor: true },
    ...{ clearOnComplete: true, linewrap: false, gracefulExit: false },
    ...(terminal === undefined ? {} : { stream: terminal }),
  });
  if (terminal !== undefined) bar.start(100, 0, { what: '' });
  let lastTenth = -1;

  return {
    show: (share: number, what: string): void => {
      const percent = Math.min(100, Math.floor(share * 100));
      bar.update(percent, { what });
      if (terminal !== undefined || Math.floor(percent / 10) <= lastTenth) return;
      lastTenth = Math.floor(percent / 10);
      say(`  ${String(percent).padStart(3)} % ${what}`);
    },
    stop: (): void => bar.stop(),
  };
}
