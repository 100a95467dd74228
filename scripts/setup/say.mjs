import { performance } from 'node:perf_hooks';

/** A failure that the user can fix: only its message is shown, without a stack. */
export class SetupError extends Error {}

/**
 * Prints a line to standard error: standard output is reserved for the service's JSON log.
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs `work` and prints one line with its name and, at the end, how long it took. */
export async function step(what, work) {
  const began = performance.now();
  process.stderr.write(`${what} … `);
  try {
    const result = await work();
    say(seconds(performance.now() - began));
    return result;
  } catch (error) {
    say('failed');
    throw error;
  }
}

function seconds(ms) {
  return ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/**
 * Runs a command's main function. Any error ends the process with exit code 1: a SetupError with
 * its message only, others with their stack.
 */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof SetupError ? error.message : (error?.stack ?? String(error)));
    process.exit(1);
  }
}
