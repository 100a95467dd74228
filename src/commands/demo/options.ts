import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from '../service/command.ts';

export interface DemoOptions {
  dataDir: string;
  /** Undefined: 3000, or the next free port. */
  port: number | undefined;
  scale: number;
  seed: string;
  isReset: boolean;
  /** Sends no live traffic. */
  isQuiet: boolean;
  logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const demoHelp = `npm run demo [-- --reset] [-- --quiet-traffic]

Starts the service with a made-up year of a shop and its blog, in a folder of its own.

  --reset           remove the folder and make it anew
  --quiet-traffic   no live visits while it runs (or DEMO_QUIET_TRAFFIC=1)

  DEMO_DATA_DIR     the folder (./data-demo)
  DEMO_SCALE        how much traffic, from 0.001 to 4 (1: about half a million events)
  DEMO_SEED         another text makes another year
  PORT              where it listens (3000, or the next free one)
  LOG_LEVEL         what the service logs (warn)

It listens on this machine only and never runs with NODE_ENV=production. Other settings, and .env,
are not read.`;

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

function readNumber(
  name: string,
  text: string | undefined,
  { from, to, isWhole = false }: { from: number; to: number; isWhole?: boolean },
): number | undefined {
  if (nonEmpty(text) === undefined) return undefined;
  const value = Number(text);
  if (!(value >= from && value <= to) || (isWhole && !Number.isInteger(value)))
    throw new CommandError(
      `${name} must be a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}.`,
    );
  return value;
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        reset: { type: 'boolean' },
        'quiet-traffic': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (cause) {
    throw new CommandError(
      `${cause instanceof Error ? cause.message : 'The arguments are wrong.'}\n\n${demoHelp}`,
      { cause },
    );
  }
}

/**
 * Returns the options, or undefined to show the help. Throws a CommandError for invalid options,
 * and in production.
 */
export function readDemoOptions(
  argv: readonly string[],
  env: Environment,
): DemoOptions | undefined {
  const { reset = false, 'quiet-traffic': quiet = false, help = false } = readArguments(argv);
  if (help) return undefined;
  if (env.NODE_ENV === 'production')
    throw new CommandError(
      'The demo does not run with NODE_ENV=production: ' +
        'whoever reaches it is let in as an admin. Unset it.',
    );
  return {
    dataDir: resolve(nonEmpty(env.DEMO_DATA_DIR) ?? 'data-demo'),
    port: readNumber('PORT', env.PORT, { from: 1, to: 65_535, isWhole: true }),
    scale: readNumber('DEMO_SCALE', env.DEMO_SCALE, { from: 0.001, to: 4 }) ?? 1,
    seed: nonEmpty(env.DEMO_SEED) ?? 'wool',
    isReset: reset,
    isQuiet: quiet || !['', '0', 'off', 'false', undefined].includes(env.DEMO_QUIET_TRAFFIC),
    logLevel: nonEmpty(env.LOG_LEVEL) ?? 'warn',
  };
}
