import { SingleBar } from 'cli-progress';

export interface Progress {
  /** Bytes of the input or output so far. */
  bytes: number;
  /** Further figures, ready to show. */
  figures: string;
}

export interface ProgressOptions {
  /** Total bytes; undefined if unknown. */
  total: number | undefined;
  /** Undefined: prints a line every five seconds instead of a bar. */
  terminal: NodeJS.WriteStream | undefined;
  say: (line: string) => void;
  read: () => Progress;
  now?: () => number;
}

const barMs = 200;
const lineMs = 5000;

/** Formats bytes: `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

/** Formats seconds: `0.4 s`, `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Formats the progress as one line. */
export function progressLine(
  { bytes, figures }: Progress,
  total: number | undefined,
  elapsedMs: number,
): string {
  const share =
    total === undefined || total === 0
      ? ''
      : `${((100 * bytes) / total).toFixed(1)} % of ${formatBytes(total)}`;
  const left =
    total === undefined || bytes === 0
      ? ''
      : `, ${formatDuration(((total - bytes) / bytes) * (elapsedMs / 1000))} left`;
  const done = share === '' ? formatBytes(bytes) : share;
  return `${done}${figures === '' ? '' : `, ${figures}`}${left}`;
}

/** Shows the progress of a transfer until `stop` is called. */
export function startProgress({ total, terminal, say, read, now = Date.now }: ProgressOptions) {
  const began = now();
  const line = () => progressLine(read(), total, now() - began);
  if (terminal === undefined || total === undefined) {
    const timer = setInterval(() => say(line()), lineMs);
    return { note: say, stop: () => clearInterval(timer) };
  }
  const bar = new SingleBar({
    format: '[{bar}] {line}',
    stream: terminal,
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false,
    gracefulExit: false,
  });
  bar.start(total, 0, { line: '' });
  const timer = setInterval(() => bar.update(read().bytes, { line: line() }), barMs);
  return {
    /** Prints a line above the bar. */
    note: (text: string) => void terminal.write(`\r\u001b[K${text}\n`),
    stop: (): void => {
      clearInterval(timer);
      bar.stop();
    },
  };
}
