import { isExposed, readAddress } from '../service/address.ts';
import { createClient } from '../service/client.ts';
import { CommandError, type CommandContext } from '../service/command.ts';
import { formatDuration, startProgress } from '../service/progress.ts';
import { keyedLimits, makeBatches, type RowWatcher } from './batches.ts';
import { detectInput } from './detect.ts';
import { importHelp, type ImportOptions, readImportOptions } from './options.ts';
import { type Outcome, sendAll } from './run.ts';
import { createSender } from './send.ts';
import { openSource, type Source } from './source.ts';
import { awaitFigures } from './figures.ts';
import { createTally, formatCounts, type Tally } from './tally.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';

function summarise(tally: Tally, source: Source, seconds: number): string[] {
  const { counts } = tally;
  const lines = [`${formatCounts(counts)} in ${formatDuration(seconds)}`];
  if (counts.repeated > 0)
    lines.push(
      `  ${formatNumber(counts.repeated)} of the duplicates were in requests sent again: ` +
        'most likely stored by a first try whose answer was lost',
    );
  for (const [reason, times] of tally.omissions)
    lines.push(`  stored without a part, ${formatNumber(times)} times: ${reason}`);
  const examples = tally.examples();
  if (examples.length > 0)
    lines.push(
      `Rejected${counts.rejected > examples.length ? ` (the first ${examples.length})` : ''}:`,
    );
  for (const { line, reason } of examples) lines.push(`  line ${line}: ${reason}`);
  return [...lines, ...source.summary()];
}

/** Prints the outcome and returns the exit code. */
function conclude(
  { resumeFrom, error }: Outcome,
  tally: Tally,
  skipBad: boolean,
  { say, stop }: CommandContext,
): number {
  if (error !== undefined) say(error.message);
  if (resumeFrom !== undefined)
    say(
      `Not finished: every line before ${resumeFrom} is stored. ` +
        `Go on with --resume-from ${resumeFrom}, or send the whole file again: ` +
        'nothing is counted twice.',
    );
  if (stop.aborted && resumeFrom !== undefined) return 130;
  if (error !== undefined) return error instanceof CommandError ? error.exitCode : 1;
  return tally.counts.rejected > 0 && !skipBad ? 1 : 0;
}

async function transfer(
  source: Source,
  options: ImportOptions,
  context: CommandContext,
): Promise<number> {
  const { say, stop, terminal, env } = context;
  const address = readAddress(options.address, env);
  if (isExposed(address)) say('Warning: the API key is sent unencrypted over http.');
  const client = createClient(address);
  const tally = createTally();
  const began = Date.now();
  const seconds = () => (Date.now() - began) / 1000;
  const figures = () => {
    const stored = tally.counts.accepted + tally.counts.duplicates;
    const rate = formatNumber(Math.round(stored / Math.max(seconds(), 0.1)));
    return `${formatCounts(tally.counts)}, ${rate}/s`;
  };
  const progress = startProgress({
    total: source.totalBytes,
    terminal,
    say,
    read: () => ({ bytes: source.readBytes(), figures: figures() }),
  });
  stop.addEventListener(
    'abort',
    () => progress.note('Stopping once the pending requests are answered …'),
    { once: true },
  );
  const onWait = (reason: string, ms: number) =>
    progress.note(
      `Waiting for the service: ${reason} (trying again in ${formatDuration(ms / 1000)})`,
    );
  const sender = createSender({ client, tally, stop, onWait });
  const watcher: RowWatcher = {
    mistake: (line, reason) => tally.reject(line, reason),
    skipped: () => void (tally.counts.skipped += 1),
  };
  const outcome = await sendAll(
    makeBatches(source.rows, watcher, keyedLimits),
    async (batch) => sender.send(batch),
    stop,
  ).finally(() => progress.stop());
  for (const line of summarise(tally, source, seconds())) say(line);
  if (tally.counts.accepted > 0) await awaitFigures({ client, stop, say });
  client.close();
  return conclude(outcome, tally, options.skipBad, context);
}

/** `npm run import`: sends the events of a file to a running service. Returns the exit code. */
export async function importCommand(context: CommandContext): Promise<number> {
  const options = readImportOptions(context.argv);
  if (options === undefined) {
    context.say(importHelp);
    return 0;
  }
  const input = detectInput(options.path, options.format);
  context.say(`Format: ${input.format}`);
  const source = openSource(input, options);
  for (const line of source.notice) context.say(line);
  return transfer(source, options, context);
}
