import { spawn } from 'node:child_process';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, type CommandContext } from '../service/command.ts';
import { type Marker, mark, removeDemo, standingOf } from './folder.ts';
import type { DemoOptions } from './options.ts';

const short = (folder: string): string => {
  const path = relative(process.cwd(), folder);
  return path === '' || path.startsWith('..') ? folder : `./${path}`;
};

/** Fills the folder in its own process, to keep memory clean. Throws a CommandError. */
async function fillApart(
  { dataDir, scale, seed }: DemoOptions,
  port: number,
  stop: AbortSignal,
): Promise<void> {
  const script = fileURLToPath(new URL('./demo-fill.js', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', script, dataDir, String(port), String(scale), seed],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const end = () => void child.kill('SIGTERM');
  stop.addEventListener('abort', end, { once: true });
  const code = await new Promise<number | null>((resolve) =>
    child.once('exit', resolve).once('error', () => resolve(null)),
  );
  stop.removeEventListener('abort', end);
  if (code !== 0)
    throw new CommandError(stop.aborted ? '' : 'The demo could not be filled.', {
      exitCode: stop.aborted ? 130 : 1,
    });
}

/**
 * Sees to it that the folder is filled, and gives its marker: a filled one is taken as it is, a
 * half-filled one is removed and made anew, as is any with `--reset`. Throws a CommandError for a
 * folder that is not the demo's, and when the filling fails.
 */
export async function prepareDemo(
  options: DemoOptions,
  port: number,
  { say, stop }: Pick<CommandContext, 'say' | 'stop'>,
): Promise<Marker> {
  const { dataDir, isReset } = options;
  const standing = await standingOf(dataDir);
  if (standing.is === 'foreign')
    throw new CommandError(
      `${short(dataDir)} holds something else than a demo. ` +
        `Name another folder: DEMO_DATA_DIR=./${basename(dataDir)}-2 npm run demo`,
    );
  if (standing.is === 'filled' && !isReset) {
    say(`${short(dataDir)} is filled already (npm run demo -- --reset makes it anew).`);
    return standing.marker;
  }
  if (standing.is === 'half_filled')
    say(`${short(dataDir)} was not filled to the end: it is made anew.`);
  await removeDemo(dataDir);
  say(`Filling ${short(dataDir)} with a year of a shop and its blog, once:`);
  await fillApart(options, port, stop);
  const filled = await standingOf(dataDir);
  if (filled.is !== 'filled') throw new CommandError('The demo could not be filled.');
  return filled.marker;
}

/** Notes that the sites' components are asked for at another port by now. */
export const markPort = (dataDir: string, marker: Marker, port: number): Promise<void> =>
  mark(dataDir, { ...marker, port });
