import { parseArgs, type ParseArgsConfig } from 'node:util';
import { createInterrupts } from '../../lib/concurrency/interrupts.ts';
import { givenSettings } from '../../platform/settings/given-settings.ts';

/** What an error says. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A failure that the user can act on; printed as its message, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** Exit code of the process. */
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** A wrong argument: the message, and how to use the command. */
export const usageError = (message: string, help: string): CommandError =>
  new CommandError(`${message}\n\n${help}`, { exitCode: 2 });

/** Reads arguments with `parseArgs`. Throws a CommandError with the help for wrong ones. */
export function readArguments<T extends ParseArgsConfig>(config: T, help: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw usageError(messageOf(error), help);
  }
}

/** A command's arguments, environment, streams and signals. */
export interface CommandContext {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  out: NodeJS.WritableStream;
  /** Prints a message for the user; only data goes to `out`. */
  say: (line: string) => void;
  /** Aborted by the first SIGINT or SIGTERM. */
  stop: AbortSignal;
  /** Removes the command's signal handlers. */
  leaveSignals: () => void;
  /** Standard error, if it is a terminal. */
  terminal: NodeJS.WriteStream | undefined;
}

/**
 * Runs a command as the process. A CommandError is printed as its message and sets the exit code;
 * other errors are printed with their stack. The first SIGINT or SIGTERM aborts `stop`; another
 * one, at least two seconds later, exits at once.
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
      env: givenSettings(process.env),
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
