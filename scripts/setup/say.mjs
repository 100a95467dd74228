import { performance } from 'node:perf_hooks';

/** A failure that the user can act on: shown as its one line, without a stack. */
export class SetupError extends Error {}

/**
 * Prints one plain line. Standard error, because standard output belongs to the service's JSON log.
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs `work` under one line that says what it does and, when it is done, how long it took. */
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
 * Runs a command's main function: a SetupError becomes one line and exit code 1, anything else
 * keeps its stack.
 */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof SetupError ? error.message : (error?.stack ?? String(error)));
    process.exit(1);
  }
}
