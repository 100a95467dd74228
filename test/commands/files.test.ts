import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { detectInput, formatOfHead } from '../../src/commands/import/detect.ts';
import { readImportOptions } from '../../src/commands/import/options.ts';
import { openSource } from '../../src/commands/import/source.ts';
import { databaseCell, readCsv, readLines } from '../../src/commands/import/text-rows.ts';

const folder = await mkdtemp(join(tmpdir(), 'files-'));
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function writeText(text: string | Buffer, name = 'file'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('lines', () => {
  test('end at line feeds only: a title may hold other separators', async () => {
    const path = await writeText('\uFEFF{"a":"x\u2028y\u2029z\u0085"}\r\n\n{"b":"ü😀"}');
    expect(await collect(readLines(createReadStream(path, { highWaterMark: 3 })))).toEqual([
      { line: 1, text: '{"a":"x\u2028y\u2029z\u0085"}' },
      { line: 2, text: '' },
      { line: 3, text: '{"b":"ü😀"}' },
    ]);
  });
});

describe('a file that is not UTF-8', () => {
  test.each([
    ['Latin-1', Buffer.from('a,b\n1,caf\u00e9\n', 'latin1')],
    ['a truncated character at the end', Buffer.from('a,b\n1,\u00e9', 'utf8').subarray(0, -1)],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,\u00e9\n', 'utf16le')],
  ])('%s is refused instead of being decoded', async (_label, bytes) => {
    const path = await writeText(bytes);
    await expect(collect(readLines(createReadStream(path)))).rejects.toThrow('not UTF-8');
    await expect(collect(readCsv(createReadStream(path)))).rejects.toThrow('not UTF-8');
  });
});

describe('CSV rows', () => {
  test('of a database have no value where it wrote that there is none', async () => {
    const path = await writeText(
      String.raw`a,b,c,d,e` +
        '\n' +
        String.raw`\N,NULL,null,(null),"\N"` +
        '\n' +
        '"NULL","null",N,NULL s,""\n',
    );
    const cells = async (read?: typeof databaseCell) =>
      (await collect(readCsv(createReadStream(path), read))).map((row) => row.cells);
    expect(await cells(databaseCell)).toEqual([
      { a: '', b: '', c: '', d: '', e: '' },
      { a: 'NULL', b: 'null', c: 'N', d: 'NULL s', e: '' },
    ]);
    expect((await cells())[0]).toEqual({
      a: String.raw`\N`,
      b: 'NULL',
      c: 'null',
      d: '(null)',
      e: String.raw`\N`,
    });
  });

  test.each(['NULL', String.raw`\N`])('of Umami with %s are events without it', async (none) => {
    const columns = {
      website_id: 'w1',
      session_id: 's1',
      visit_id: none,
      event_id: none,
      hostname: none,
      browser: none,
      os: none,
      device: none,
      country: none,
      url_path: '/größe',
      url_query: none,
      referrer_domain: none,
      page_title: none,
      event_type: none,
      event_name: none,
      tag: none,
      distinct_id: none,
      created_at: '2026-03-29 01:30:00.123456+00',
      utm_source: none,
      gclid: none,
    };
    const text = [Object.keys(columns), Object.values(columns)]
      .map((row) => row.join(','))
      .join('\n');
    const file = await writeText(`${text}\n`, 'website_event.csv');
    const settings = { site: 'shop', website: undefined, timezone: 'UTC', resumeFrom: 0 };
    const rows = await collect(openSource({ format: 'umami', file }, settings).rows);
    expect(rows).toEqual([
      {
        line: 2,
        mapped: {
          event: {
            event: 'pageview',
            url: '/größe',
            site_id: 'shop',
            id: expect.any(String) as string,
            timestamp: Date.UTC(2026, 2, 29, 1, 30, 0, 123),
            visitor_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
            bot: false,
          },
        },
      },
    ]);
  });

  test('have the line they start on, even after cells with line breaks', async () => {
    const path = await writeText('\uFEFFa,b\r\n"1\n1","say ""hi"""\r\n2,\r\n3\r\n');
    expect(await collect(readCsv(createReadStream(path)))).toEqual([
      { line: 2, ordinal: 1, cells: { a: '1\n1', b: 'say "hi"' } },
      { line: 4, ordinal: 2, cells: { a: '2', b: '' } },
      { line: 5, ordinal: 3, cells: { a: '3' } },
    ]);
  });

  test('fail when the file is malformed', async () => {
    const path = await writeText('a,b\n1,2\n"x');
    await expect(collect(readCsv(createReadStream(path)))).rejects.toThrow(/quote/i);
  });
});

describe('the format', () => {
  test.each([
    ['{"id":"x"}\n', 'export-ndjson'],
    ['\uFEFFid,timestamp,received_at,site_id,event,hostname,pathname\n', 'export-csv'],
    ['website_id,session_id,visit_id,event_id,url_path,created_at\n', 'umami'],
    ['"website_id","session_id","url_path","created_at"\r\n', 'umami'],
  ])('of %j is %s', (head, format) => {
    expect(formatOfHead(Buffer.from(head))).toBe(format);
  });

  test.each([
    ['PK\u0003\u0004', /unpack it/],
    ['PAR1', /ndjson or csv/],
    ['a;b;c\n', /no known format/],
    ['', /no known format/],
  ])('of %j is refused with advice', (head, advice) => {
    expect(() => formatOfHead(Buffer.from(head, 'latin1'))).toThrow(advice);
  });

  test('of a folder is detected by its files', async () => {
    const plausible = join(folder, 'plausible');
    await mkdir(plausible);
    await writeText('date\n', 'plausible/imported_visitors_20260101_20260131.csv');
    await writeText('date\n', 'plausible/imported_exit_pages_20260101_20260131.csv');
    const input = detectInput(
      join(plausible, 'imported_visitors_20260101_20260131.csv'),
      undefined,
    );
    expect(input).toEqual({
      format: 'plausible',
      tables: new Map([
        ['imported_visitors', join(plausible, 'imported_visitors_20260101_20260131.csv')],
      ]),
    });
    await writeText('date\n', 'plausible/imported_visitors_20260201_20260228.csv');
    expect(() => detectInput(plausible, undefined)).toThrow(/two files of one table/);
    expect(() => detectInput(join(folder, 'missing'), undefined)).toThrow(/There is no file/);
  });
});

test('a key is never accepted on the command line', () => {
  expect(() => readImportOptions(['file', '--key', 'secret'])).toThrow(/key/);
  expect(() => readImportOptions([])).toThrow('Name one file or folder.');
  expect(() => readImportOptions(['file', '--resume-from', '0'])).toThrow(/no line number/);
  expect(() => readImportOptions(['file', '--timezone', 'Mars'])).toThrow(/no time zone/);
  expect(readImportOptions(['--help'])).toBeUndefined();
});
