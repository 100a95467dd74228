import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { CommandError } from '../service/command.ts';
import type { Input } from './detect.ts';
import type { Mapped, SourceRow } from './event.ts';
import { mapExported, typedCells, withExactAmount } from './exported.ts';
import type { ImportOptions } from './options.ts';
import { plausibleNotice, plausibleSummary } from './plausible/notice.ts';
import { createPlausibleReader, type TableRows } from './plausible/read.ts';
import { databaseCell, readCsv, readLines } from './text-rows.ts';
import { mapUmami } from './umami.ts';

/** Rows to import, and how much of their files has been read. */
export interface Source {
  rows: AsyncIterable<SourceRow>;
  totalBytes: number;
  readBytes: () => number;
  /** Printed before the first event is sent. */
  notice: string[];
  /** Printed at the end. */
  summary: () => string[];
}

type Settings = Pick<ImportOptions, 'site' | 'website' | 'timezone' | 'resumeFrom'>;

/** Maps a row. Invalid JSON becomes a mistake of the row. */
function tryMap(map: () => Mapped): Mapped {
  try {
    return map();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { mistake: 'not valid JSON' };
  }
}

async function* ndjsonRows(
  stream: ReadStream,
  { site, resumeFrom }: Settings,
): AsyncGenerator<SourceRow> {
  for await (const { line, text } of readLines(stream)) {
    if (line < resumeFrom || text.trim() === '') continue;
    yield {
      line,
      mapped: tryMap(() => mapExported(withExactAmount(text, JSON.parse(text)), line, site)),
    };
  }
}

async function* csvRows(
  stream: ReadStream,
  resumeFrom: number,
  map: (cells: Record<string, string>, ordinal: number) => Mapped,
  readCell?: typeof databaseCell,
): AsyncGenerator<SourceRow> {
  for await (const { line, ordinal, cells } of readCsv(stream, readCell)) {
    if (line < resumeFrom) continue;
    yield { line, mapped: tryMap(() => map(cells, ordinal)) };
  }
}

function requireSite({ site }: Settings): string {
  if (site === undefined)
    throw new CommandError('Name the site that the events shall belong to with --site.', {
      exitCode: 2,
    });
  return site;
}

/** Without `--website` the export must have one website only: rows of others are mistakes. */
function umamiMapper(
  settings: Settings,
): (cells: Record<string, string>, ordinal: number) => Mapped {
  const site = requireSite(settings);
  let { website } = settings;
  return (cells, ordinal) => {
    website ??= cells.website_id;
    const mapped = mapUmami(cells, ordinal, { site, website });
    const foreign = 'skipped' in mapped && settings.website === undefined;
    return foreign
      ? {
          mistake:
            `the row is of another website (${cells.website_id ?? ''}): ` +
            'choose one with --website',
        }
      : mapped;
  };
}

function filesSource(
  files: readonly string[],
  open: (streams: ReadStream[]) => Pick<Source, 'rows' | 'notice' | 'summary'>,
): Source {
  const streams = files.map((file) => createReadStream(file, { highWaterMark: 256 * 1024 }));
  const totalBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    ...open(streams),
    totalBytes,
    readBytes: () => streams.reduce((sum, stream) => sum + stream.bytesRead, 0),
  };
}

function plausibleSource(
  tables: (Input & { format: 'plausible' })['tables'],
  settings: Settings,
): Source {
  const site = requireSite(settings);
  return filesSource([...tables.values()], (streams) => {
    const rows: TableRows = Object.fromEntries(
      [...tables.keys()].map((name, at) => {
        const stream = streams[at];
        if (stream === undefined) throw new RangeError(`no stream of ${name}`);
        return [name, readCsv(stream, databaseCell)];
      }),
    );
    const reader = createPlausibleReader(rows, {
      site,
      timezone: settings.timezone,
      now: Date.now(),
    });
    return {
      rows: reader.rows(settings.resumeFrom),
      notice: plausibleNotice(tables, settings.timezone),
      summary: () => plausibleSummary(reader.totals()),
    };
  });
}

/** Opens the input. */
export function openSource(input: Input, settings: Settings): Source {
  if (input.format === 'plausible') return plausibleSource(input.tables, settings);
  const { format, file } = input;
  const map =
    format === 'umami'
      ? umamiMapper(settings)
      : (cells: Record<string, string>, ordinal: number) =>
          mapExported(typedCells(cells), ordinal, settings.site);
  return filesSource([file], ([stream]) => {
    if (stream === undefined) throw new RangeError('no stream');
    const rows =
      format === 'export-ndjson'
        ? ndjsonRows(stream, settings)
        : csvRows(
            stream,
            settings.resumeFrom,
            map,
            // A title in our own export may be the word NULL.
            format === 'umami' ? databaseCell : undefined,
          );
    return { rows, notice: [], summary: () => [] };
  });
}
