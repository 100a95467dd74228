import { formatNumber } from '../platform/i18n/numbers.ts';
import { fillDemo } from './demo/fill.ts';
import { writeMarker } from './demo/folder.ts';
import { createFillProgress } from './demo/progress.ts';
import { CommandError, runAsProcess, type CommandContext } from './service/command.ts';
import { formatDuration } from './service/progress.ts';

/**
 * Fills an empty folder with demo data: `demo-fill.js FOLDER PORT SCALE SEED`. The marker `filled`
 * is written last.
 */
async function fillCommand({ argv, say, stop, terminal }: CommandContext): Promise<number> {
  const [dataDir, port = '', scale = '', seed = ''] = argv;
  if (dataDir === undefined) throw new CommandError('This is a part of npm run demo.');
  const parameters = { seed, scale: Number(scale), port: Number(port) };
  await writeMarker(dataDir, { ...parameters, state: 'filling', events: 0 });
  const progress = createFillProgress(terminal, say);
  const filling = fillDemo({ ...parameters, dataDir, stop, show: progress.show });
  const { events, people } = await filling.finally(progress.stop);
  await writeMarker(dataDir, { ...parameters, state: 'filled', events });
  const seconds = performance.now() / 1000;
  say(`Filled in ${formatDuration(seconds)}: ${formatNumber(events)} events, ${people} people.`);
  return 0;
}

await runAsProcess(fillCommand);
// Everything is closed, but timers of libraries may keep the process alive.
process.exit();
