import { createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isExposed, readAddress } from '../service/address.ts';
import { createClient } from '../service/client.ts';
import { CommandError, type CommandContext, messageOf } from '../service/command.ts';
import { formatBytes, formatDuration, startProgress } from '../service/progress.ts';
import { withRetry } from '../service/retry.ts';
import { exportHelp, type ExportOptions, readExportOptions } from './options.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';

const path = 'analytics/export/events/';
const newline = 0x0a;

interface Tally {
  bytes: number;
  lines: number;
}

/** Passes data through and counts its bytes, and its lines if asked to. */
function createCounter(tally: Tally, countLines: boolean): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      tally.bytes += chunk.length;
      for (
        let at = countLines ? chunk.indexOf(newline) : -1;
        at !== -1;
        at = chunk.indexOf(newline, at + 1)
      )
        tally.lines += 1;
      done(null, chunk);
    },
  });
}

function incomplete(cause: unknown, { aborted }: AbortSignal, rest = ''): CommandError {
  const reason = aborted ? 'stopped' : messageOf(cause);
  const exitCode = aborted ? 130 : 1;
  return new CommandError(`The export is not complete (${reason}).${rest}`, { exitCode, cause });
}

async function toFile(
  source: Readable,
  counter: Transform,
  file: string,
  stop: AbortSignal,
): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(source, counter, createWriteStream(part, { mode: 0o600 }), { signal: stop });
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (cause) {
    throw incomplete(cause, stop, ` What came is in ${part}.`);
  }
}

async function toOutput(
  source: Readable,
  counter: Transform,
  out: NodeJS.WritableStream,
  stop: AbortSignal,
): Promise<void> {
  try {
    await pipeline(source, counter, out, { signal: stop, end: false });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EPIPE')
      throw new CommandError('The reader of the export went away before its end.', { cause });
    throw incomplete(cause, stop);
  }
}

async function download(
  { out: file, format, body, address }: ExportOptions,
  { out, env, say, stop, terminal }: CommandContext,
): Promise<void> {
  const target = readAddress(address, env);
  if (isExposed(target)) say('Warning: the API key is sent unencrypted over http.');
  const client = createClient(target);
  const tally: Tally = { bytes: 0, lines: 0 };
  const began = Date.now();
  try {
    const onWait = (reason: string, ms: number) =>
      say(`Not yet: ${reason} (trying again in ${formatDuration(ms / 1000)})`);
    const { result: source } = await withRetry(() => client.stream(path, JSON.stringify(body)), {
      maxElapsedMs: 30_000,
      stop,
      onWait,
    });
    const figures = () => (format === 'ndjson' ? `${formatNumber(tally.lines)} events` : '');
    const progress = startProgress({
      total: undefined,
      terminal,
      say,
      read: () => ({ bytes: tally.bytes, figures: figures() }),
    });
    const counter = createCounter(tally, format === 'ndjson');
    await (
      file === undefined
        ? toOutput(source, counter, out, stop)
        : toFile(source, counter, file, stop)
    ).finally(progress.stop);
    const events = format === 'ndjson' ? `${figures()}, ` : '';
    const seconds = (Date.now() - began) / 1000;
    const destination = file === undefined ? '' : ` to ${file}`;
    const size = formatBytes(tally.bytes);
    say(`Exported ${events}${size} in ${formatDuration(seconds)}${destination}.`);
  } finally {
    client.close();
  }
}

/**
 * `npm run export`: writes the raw events of a running service to a file or stdout. Returns the
 * exit code.
 */
export async function exportCommand(context: CommandContext): Promise<number> {
  const options = readExportOptions(context.argv);
  if (options === undefined) {
    context.say(exportHelp);
    return 0;
  }
  if (
    options.format === 'parquet' &&
    options.out === undefined &&
    context.out === process.stdout &&
    process.stdout.isTTY
  ) {
    throw new CommandError('A parquet file is nothing for a terminal: name a file with --out.');
  }
  await download(options, context);
  return 0;
}
