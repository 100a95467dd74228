import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/platform/resource/read-csv.ts';
import { RequestValidationError } from '../../../src/platform/validation/validation-error.ts';

const format = { columns: ['email', 'name', 'maxAge'], maxRows: 100, maxRowLength: 65_536 };
const read = (text: string, change: Partial<typeof format> = {}) =>
  readCsv(text, { ...format, ...change });
const cellsOf = async (text: string) => (await read(text)).map(({ cells }) => cells);

/** The place and the message of the only error. */
async function faultOf(text: string, change: Partial<typeof format> = {}) {
  const error = await read(text, change).catch((thrown: unknown) => thrown);
  if (!(error instanceof RequestValidationError)) throw error;
  return error.details.map(({ loc, msg }) => [...loc.slice(1), msg.replace('Value error, ', '')]);
}

const anna = { email: 'a@example.com', name: 'Anna' };

describe('a CSV file', () => {
  it.each([
    ['commas', 'email,name\r\na@example.com,Anna\r\n'],
    ['semicolons', 'email;name\na@example.com;Anna'],
    ['tabs', 'email\tname\na@example.com\tAnna\n'],
    ['old line ends', 'email,name\ra@example.com,Anna\r'],
    ['a byte order mark', '\uFEFFemail;name\na@example.com;Anna\n'],
    ['a first line that names the comma', 'sep=,\nemail,name\na@example.com,Anna\n'],
    ['a first line that names another', '\uFEFFSEP=;\r\nemail;name\r\na@example.com;Anna\r\n'],
    ['such a line as Excel saves it again', '"sep=;";;\r\nemail;name;\r\na@example.com;Anna;\r\n'],
    ['names in another case and with spaces', ' Email , NAME\na@example.com,Anna\n'],
    ['quotes', '"email";"name"\n"a@example.com";"Anna"\n'],
    ['spaces around quotes', '"email"; "name" \n "a@example.com" ;"Anna"'],
    ['separators within quotes', 'email;"name"\n"a@example.com";"Anna"\n'],
    ['empty columns', 'email,,name,,\na@example.com,,Anna,,\n'],
    ['cells that are missing where no column is', 'email,name,,\na@example.com,Anna\n'],
    ['empty rows', '\n\nemail;name\n;\n  ; \n\na@example.com;Anna\n;;;;\n\n'],
  ])('is read with %s', async (_, text) => {
    expect(await cellsOf(text)).toEqual([anna]);
  });

  it('keeps separators and line breaks within cells, and every character', async () => {
    const name = 'a, b; c\td\r\n"e" \u{1F600}';
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const rows = Array.from({ length: 90 }, () => `x;${quoted}`);
    const read = await cellsOf(`email;name\n${rows.join('\n')}`);
    expect(read).toHaveLength(90);
    for (const cells of read) expect(cells).toEqual({ email: 'x', name });
    const long = '\u{1F600}'.repeat(15_000);
    expect(await cellsOf(`email;name\nx;${long}`)).toEqual([{ email: 'x', name: long }]);
  });

  it('gives the names of columns as they are declared', async () => {
    expect(await cellsOf('EMAIL,maxage\nx,3\n')).toEqual([{ email: 'x', maxAge: '3' }]);
  });

  it('counts the lines within cells', async () => {
    const rows = await read('email;name\r\n"a\r\nb\rc\nd";x\r\ny;z');
    expect(rows.map(({ line }) => line)).toEqual([5, 6]);
  });

  it('names the line of a faulty header, which need not be the first', async () => {
    expect(await faultOf('sep=;\n\nemail;age\na@example.com;3\n')).toEqual([
      [3, expect.stringContaining('unknown columns "age"')],
    ]);
  });

  it('counts the line of a separator and empty lines', async () => {
    const rows = await read('sep=;\nemail;name\n\n;\na@example.com;Anna\n');
    expect(rows).toEqual([{ line: 5, cells: anna }]);
    expect(await faultOf('sep=;\nemail;name\n\na;b;c')).toEqual([
      [4, expect.stringContaining('one value for each column')],
    ]);
  });

  it.each([
    ['email;name\na@example.com;Anna;left\n', 2, 'one value for each column'],
    ['email,,name\na@example.com,lost,Anna\n', 2, 'column without a name'],
    ['email,name\na@example.com\n', 2, 'one value for each column'],
    ['email,name\n"a@example.com,Anna\n', 2, 'is not a row of CSV'],
    ['email,name\na"b,c\n', 2, 'is not a row of CSV'],
    ['email,name\n"a"b,c\n', 2, 'is not a row of CSV'],
    ['email|name\n', 1, 'unknown columns "email|name"'],
    ['email;Email\n', 1, 'names a column more than once'],
    ['email;colour\n', 1, 'unknown columns "colour". Columns: email, name, maxAge'],
    [`email\n${'x'.repeat(70_000)}`, 2, 'is not a row of CSV'],
  ])('loses nothing: %j is refused', async (text, line, message) => {
    expect(await faultOf(text)).toEqual([[line, expect.stringContaining(message)]]);
  });

  it('has a maximum number of rows, without the empty ones', async () => {
    const change = { maxRows: 2 };
    expect(await read('email\na\n\n\nb\n\n', change)).toHaveLength(2);
    expect(await faultOf('email\na\n\nb\nc\nd\n', change)).toEqual([
      [5, 'must be among the first 2 rows'],
    ]);
  });

  it.each([
    ['8 MB of line breaks', '\n'.repeat(8 * 1024 * 1024)],
    ['2 MB of empty rows', `email;name\n${';\n'.repeat(1024 * 1024)}`],
    ['100,000 rows', `email;name\n${'a;b\n'.repeat(100_000)}`],
  ])('lets other requests in between: %s', async (_, text) => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const started = performance.now();
    await read(text, { maxRows: 200_000 });
    isDone = true;
    // One turn for every few milliseconds; without pauses there are one or two in all.
    expect(turns).toBeGreaterThan((performance.now() - started) / 50);
    expect(turns).toBeGreaterThan(5);
  });
});
