import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../../lib/system-errors.ts';
import { openDataDir } from '../../platform/files/data-dir.ts';
import { endLeftover } from '../../platform/redis/embedded/leftover.ts';
import { openSocketPath } from '../../platform/redis/embedded/socket-path.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { CommandError } from '../service/command.ts';

const fileName = 'demo.json';

/** The marker of a demo folder, which may therefore be removed. `filled` is written last. */
const markerSchema = z.object({
  made_by: z.literal('npm run demo'),
  state: z.enum(['filling', 'filled']),
  seed: z.string(),
  scale: z.number(),
  /** The port that the checks of the demo's sites request. */
  port: z.int(),
  events: z.int(),
});
export type Marker = z.output<typeof markerSchema>;

/** What a folder contains. */
export type FolderState =
  { is: 'empty' } | { is: 'foreign' } | { is: 'half_filled' } | { is: 'filled'; marker: Marker };

/** Returns the state of a folder. Throws a CommandError when the folder can't be read. */
export async function readFolderState(folder: string): Promise<FolderState> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isSystemError(error) && error.code === 'ENOENT') return [];
    throw new CommandError(`The folder ${folder} cannot be read.`, { cause: error });
  });
  if (names.length === 0) return { is: 'empty' };
  const marker = await readFile(join(folder, fileName), 'utf8')
    .then((text) => markerSchema.parse(JSON.parse(text)))
    .catch(() => undefined);
  if (marker === undefined) return { is: 'foreign' };
  return marker.state === 'filled' ? { is: 'filled', marker } : { is: 'half_filled' };
}

/** Writes the folder's marker, and creates the folder if it is missing. */
export async function writeMarker(folder: string, marker: Omit<Marker, 'made_by'>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = JSON.stringify(
    { made_by: 'npm run demo', ...marker } satisfies Marker,
    undefined,
    2,
  );
  await writeFile(join(folder, fileName), `${text}\n`, { mode: 0o600 });
}

/**
 * Removes a folder that has the demo's marker, with everything in it, and stops a redis-server that
 * was left running there. Throws a CommandError for any other folder, and an Error with a one-line
 * message while a process uses the folder.
 */
export async function removeDemo(folder: string): Promise<void> {
  const { is } = await readFolderState(folder);
  if (is === 'empty') return;
  if (is === 'foreign')
    throw new CommandError(
      `${folder} is not a folder of the demo (it has no ${fileName}): it stays as it is.`,
    );
  const dataDir = await openDataDir(folder);
  try {
    const redis = join(dataDir.path, 'redis');
    const socket = await openSocketPath(redis);
    const logger = createLogger({ level: 'error' });
    await endLeftover({ folder: redis, socket: socket.path, logger });
    await socket.remove();
    await rm(dataDir.path, { recursive: true, force: true });
  } finally {
    await dataDir.close();
  }
}
