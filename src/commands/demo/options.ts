import { resolve } from 'node:path';
import { CommandError, type CommandContext, readArguments } from '../service/command.ts';

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

export const demoHelp = `npm run demo [-- --reset] [-- --quiet-traffic]

Starts the service with a made-up year of a shop and its blog, in a folder of its own.

  --reset           remove the folder and recreate it
  --quiet-traffic   no live visits while it runs (or DEMO_QUIET_TRAFFIC=1)

  DEMO_DATA_DIR     the folder (./data-demo)
  DEMO_SCALE        how much traffic, from 0.001 to 4 (1: about a quarter of a million events)
  DEMO_SEED         another text makes another year
  PORT              where it listens (3000, or the next free one)
  LOG_LEVEL         what the service logs (warn)

It listens on this machine only and never runs with NODE_ENV=production. Other settings, and .env,
are not read.`;

function readNumber(
  name: string,
  text: string | undefined,
  { from, to, isWhole = false }: { from: number; to: number; isWhole?: boolean },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= from && value <= to && (!isWhole || Number.isInteger(value))) return value;
  const kind = isWhole ? 'whole number' : 'number';
  throw new CommandError(`${name} must be a ${kind} from ${from} to ${to}.`);
}

const argumentsOfDemo = {
  reset: { type: 'boolean', default: false },
  'quiet-traffic': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Returns the options, or undefined to show the help. Throws a CommandError for invalid options,
 * and in production.
 */
export function readDemoOptions(
  argv: readonly string[],
  env: CommandContext['env'],
): DemoOptions | undefined {
  const config = { args: [...argv], options: argumentsOfDemo };
  const { reset, 'quiet-traffic': quiet, help } = readArguments(config, demoHelp).values;
  if (help === true) return undefined;
  if (env.NODE_ENV === 'production')
    throw new CommandError(
      'The demo does not run with NODE_ENV=production: anyone who can reach it becomes an ' +
        'admin. Unset it.',
    );
  return {
    dataDir: resolve(env.DEMO_DATA_DIR ?? 'data-demo'),
    port: readNumber('PORT', env.PORT, { from: 1, to: 65_535, isWhole: true }),
    scale: readNumber('DEMO_SCALE', env.DEMO_SCALE, { from: 0.001, to: 4 }) ?? 1,
    seed: env.DEMO_SEED ?? 'wool',
    isReset: reset,
    isQuiet: quiet || !['0', 'off', 'false', undefined].includes(env.DEMO_QUIET_TRAFFIC),
    logLevel: env.LOG_LEVEL ?? 'warn',
  };
}
