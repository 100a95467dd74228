import { describe, expect, test } from 'vitest';
import { csvText, guarded, unguarded } from '../../../src/lib/text/csv.ts';

const formulas = [
  '=1+1',
  '+4712345678',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '=HYPERLINK("https://evil.example")',
  '\uFF1D1+1',
  "'=1",
  "''=1",
];

describe('CSV', () => {
  test.each(formulas)('guards the text %j, so that no spreadsheet runs it', (text) => {
    const cell = csvText([[text]]).trimEnd();
    expect(cell.replace(/^"/, '')).toMatch(/^'/);
    expect(unguarded(guarded(text))).toBe(text);
  });

  test.each(['', 'plain', "it's", "'quoted'", 'a=b', '1-2'])(
    'leaves the text %j unchanged',
    (text) => {
      expect(guarded(text)).toBe(text);
      expect(unguarded(text)).toBe(text);
    },
  );

  test('leaves numbers unchanged, including negative ones', () => {
    expect(csvText([[-5, 1.5, null, 'a,b']])).toBe('-5,1.5,,"a,b"\r\n');
    expect(csvText([[0, -0.25, '"', 'x']])).toBe('0,-0.25,"""",x\r\n');
  });
});
