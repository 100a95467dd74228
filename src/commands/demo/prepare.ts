import { spawn } from 'node:child_process';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, type CommandContext } from '../service/command.ts';
import { type Marker, readFolderState, removeDemo } from './folder.ts';
import type { DemoOptions } from './options.ts';

const displayPath = (folder: string): string => {
  const path = relative(process.cwd(), folder);
  return path === '' || path.startsWith('..') ? folder : `./${path}`;
};

/** Fills the folder in a child process, to free its memory. Throws a CommandError on failure. */
async function fillInChildProcess(
  { dataDir, scale, seed }: DemoOptions,
  port: number,
  stop: AbortSignal,
): Promise<void> {
  const script = fileURLToPath(new URL('./demo-fill.js', import.meta.url));
  const args = ['--enable-source-maps', script, dataDir, String(port), String(scale), seed];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const stopChild = () => void child.kill('SIGTERM');
  stop.addEventListener('abort', stopChild, { once: true });
  const code = await new Promise<number | null>((resolve) =>
    child.once('exit', resolve).once('error', () => resolve(null)),
  );
  stop.removeEventListener('abort', stopChild);
  if (stop.aborted && code !== 0) throw new CommandError('', { exitCode: 130 });
  if (code !== 0) throw new CommandError('The demo could not be filled.');
}

/**
 * Ensures that the folder is filled, and returns its marker. A filled folder is reused; a
 * half-filled one, or any with `--reset`, is removed and filled again. Throws a CommandError for a
 * folder that is not the demo's, and when filling fails.
 */
export async function prepareDemo(
  options: DemoOptions,
  port: number,
  { say, stop }: Pick<CommandContext, 'say' | 'stop'>,
): Promise<Marker> {
  const { dataDir, isReset } = options;
  const state = await readFolderState(dataDir);
  if (state.is === 'foreign')
    throw new CommandError(
      `${displayPath(dataDir)} holds something else than a demo. ` +
        `Name another folder: DEMO_DATA_DIR=./${basename(dataDir)}-2 npm run demo`,
    );
  if (state.is === 'filled' && !isReset) {
    say(`${displayPath(dataDir)} is already filled (npm run demo -- --reset recreates it).`);
    return state.marker;
  }
  if (state.is === 'half_filled')
    say(`${displayPath(dataDir)} is incomplete and is being recreated.`);
  await removeDemo(dataDir);
  say(`Filling ${displayPath(dataDir)} with a year of a shop and its blog, once:`);
  await fillInChildProcess(options, port, stop);
  const filled = await readFolderState(dataDir);
  if (filled.is !== 'filled') throw new CommandError('The demo could not be filled.');
  return filled.marker;
}
