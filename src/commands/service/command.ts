import { createInterrupts } from '../../lib/concurrency/interrupts.ts';

/** A failure that the user can act on: shown as its text, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What the process ends with. */
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** What a command has of the world around it. */
export interface CommandContext {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  out: NodeJS.WritableStream;
  /** Everything that is said to the user; the data alone goes to `out`. */
  say: (line: string) => void;
  /** Aborts at the first Ctrl-C. */
  stop: AbortSignal;
  /** From now on signals are somebody else's to answer. */
  leaveSignals: () => void;
  /** Standard error, when a person watches it. */
  terminal: NodeJS.WriteStream | undefined;
}

/**
 * Runs a command as the process: a CommandError becomes its text and exit code, anything else keeps
 * its stack. The first SIGINT or SIGTERM asks the command to end; another one, two seconds later or
 * more, ends it at once.
 */
export async function runAsProcess(
  command: (context: CommandContext) => Promise<number>,
): Promise<void> {
  const controller = new AbortController();
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const interrupts = createInterrupts(() => performance.now());
  const interrupt = () => {
    if (interrupts() === 'again') process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const leaveSignals = () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
  try {
    process.exitCode = await command({
      argv: process.argv.slice(2),
      env: process.env,
      out: process.stdout,
      say,
      stop: controller.signal,
      leaveSignals,
      terminal: process.stderr.isTTY ? process.stderr : undefined,
    });
  } catch (error) {
    say(
      error instanceof CommandError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error),
    );
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  } finally {
    leaveSignals();
  }
}
