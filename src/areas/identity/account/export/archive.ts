import { mapInSlices } from '../../../../lib/concurrency/slices.ts';
import { type Cell, toCsv } from '../../../../lib/text/csv.ts';
import { PermanentJobError } from '../../../../platform/queues/permanent-job-error.ts';
import type { Row } from './store.ts';

/** One list of a person's data. */
export interface ExportPart {
  area: string;
  title: string;
  about: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** Whether older rows were left out. */
  isCut: boolean;
}

/** Files are kept in parts of this size. */
const chunkBytes = 512 * 1024;
const maxBytes = 64 * 1024 * 1024;

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

const shown = (row: Row, columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));

async function jsonOf(parts: readonly ExportPart[]): Promise<string> {
  const lists: string[] = [];
  for (const { title, columns, rows } of parts) {
    const lines = await mapInSlices(rows, (row) => `    ${JSON.stringify(shown(row, columns))}`);
    lists.push(`  ${JSON.stringify(title)}: [\n${lines.join(',\n')}\n  ]`);
  }
  return `{\n${lists.join(',\n')}\n}\n`;
}

async function csvOf({ columns, rows }: ExportPart): Promise<string> {
  const lines = await mapInSlices(rows, (row) => toCsv([columns.map((name) => toCell(row[name]))]));
  return toCsv([columns]) + lines.join('');
}

/** Cuts a stream of bytes into parts of equal size. Throws when there are too many. */
async function collect(stream: AsyncIterable<Buffer | string>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw new PermanentJobError('the copy of the data is too large');
    chunks.push(bytes);
  }
  const all = Buffer.concat(chunks);
  return Array.from({ length: Math.ceil(all.length / chunkBytes) }, (_, at) =>
    all.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
}

export interface Archive {
  parts: readonly ExportPart[];
  readme: string;
  picture: Buffer | undefined;
  at: Date;
}

/** A zip of the parts: JSON for each area, CSV for each list. Returns its bytes in chunks. */
export async function zipOf({ parts, readme, picture, at }: Archive): Promise<Buffer[]> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const options = { mtime: at };
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name, options);
  add('README.txt', readme);
  for (const area of new Set(parts.map((part) => part.area))) {
    const ofArea = parts.filter((part) => part.area === area);
    add(`${area}.json`, await jsonOf(ofArea));
    for (const part of ofArea) add(`${area}/${part.title}.csv`, await csvOf(part));
  }
  if (picture !== undefined) zip.addBuffer(picture, 'avatar.webp', { ...options, compress: false });
  zip.end();
  return collect(zip.outputStream as AsyncIterable<Buffer | string>);
}
