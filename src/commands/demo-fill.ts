import { fillDemo } from './demo/fill.ts';
import { mark } from './demo/folder.ts';
import { createFillProgress } from './demo/progress.ts';
import { CommandError, runAsProcess, type CommandContext } from './service/command.ts';

/** Fills an empty folder: `demo-fill.js FOLDER PORT SCALE SEED`. Writes the marker last. */
async function fillCommand({
  argv: [dataDir, port = '', scale = '', seed = ''],
  say,
  stop,
  terminal,
}: CommandContext): Promise<number> {
  if (dataDir === undefined) throw new CommandError('This is a part of npm run demo.');
  const about = { seed, scale: Number(scale), port: Number(port) };
  await mark(dataDir, { ...about, state: 'filling', events: 0 });
  const progress = createFillProgress({ terminal, say });
  const { events, people } = await fillDemo({ ...about, dataDir, progress, stop }).finally(() =>
    progress.stop(),
  );
  await mark(dataDir, { ...about, state: 'filled', events });
  say(`Filled in ${progress.stop()}: ${events.toLocaleString('en')} events, ${people} people.`);
  return 0;
}

await runAsProcess(fillCommand);
// Timers of libraries may still be there; everything is closed.
process.exit();
