import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../service/command.ts';
import type { ImportFormat } from './options.ts';
import { tableOf, type TableName } from './plausible/tables.ts';

/** The input: one file, or the tables of a Plausible export. */
export type Input =
  | { format: Exclude<ImportFormat, 'plausible'>; file: string }
  | { format: 'plausible'; tables: ReadonlyMap<TableName, string> };

const headBytes = 64 * 1024;

function readHead(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(handle, head, 0, headBytes, 0));
  } finally {
    closeSync(handle);
  }
}

const unsupported: [magic: string, advice: string][] = [
  ['PK', 'This is a zip archive: unpack it, and name the folder.'],
  ['\u001f\u008b', 'This file is compressed: unpack it with gunzip first.'],
  ['PAR1', 'Parquet files can not be imported: export as ndjson or csv.'],
];

/** Detects the format by the first line of a file. Throws a CommandError for an unknown one. */
export function formatOfHead(head: Buffer): Exclude<ImportFormat, 'plausible'> {
  const start = head.toString('latin1', 0, 4);
  const advice = unsupported.find(([magic]) => start.startsWith(magic));
  if (advice !== undefined) throw new CommandError(advice[1]);
  const first = (
    head
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .split('\n', 1)[0] ?? ''
  ).trim();
  if (first.startsWith('{')) return 'export-ndjson';
  const columns = new Set(first.split(',').map((name) => name.replaceAll('"', '').trim()));
  const has = (...names: string[]) => names.every((name) => columns.has(name));
  if (has('session_id', 'url_path', 'created_at')) return 'umami';
  if (has('timestamp', 'event', 'pathname')) return 'export-csv';
  throw new CommandError(
    'The first line tells no known format: it should be JSON, ' +
      'the header of a CSV export of this service (timestamp, event, pathname, …), ' +
      "or the header of Umami's website_event (session_id, url_path, created_at, …).",
  );
}

function plausibleTables(folder: string): Map<TableName, string> {
  const tables = new Map<TableName, string>();
  for (const name of readdirSync(folder).sort()) {
    const table = tableOf(name);
    if (table === undefined) continue;
    const other = tables.get(table);
    if (other !== undefined)
      throw new CommandError(
        `There are two files of one table: ${basename(other)} and ${name}. ` +
          'Keep one export in a folder.',
      );
    tables.set(table, join(folder, name));
  }
  return tables;
}

function inputOfFolder(folder: string): Input {
  const tables = plausibleTables(folder);
  if (tables.has('imported_visitors')) return { format: 'plausible', tables };
  const umami = readdirSync(folder).find((name) => name === 'website_event.csv');
  if (umami !== undefined) return { format: 'umami', file: join(folder, umami) };
  throw new CommandError(
    'The folder holds neither imported_visitors_….csv of Plausible nor website_event.csv of Umami.',
  );
}

/** Detects what a path holds. Throws a CommandError when it cannot be imported. */
export function detectInput(path: string, format: ImportFormat | undefined): Input {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) throw new CommandError(`There is no file or folder ${path}.`);
  const folder = info.isDirectory() ? path : dirname(path);
  if (
    info.isDirectory() ||
    format === 'plausible' ||
    (format === undefined && tableOf(basename(path)) !== undefined)
  ) {
    const input = inputOfFolder(folder);
    if (format !== undefined && input.format !== format)
      throw new CommandError(`The folder is not of the format ${format}.`);
    return input;
  }
  return { format: format ?? formatOfHead(readHead(path)), file: path };
}
