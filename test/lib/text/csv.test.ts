import { describe, expect, test } from 'vitest';
import { toCsv, escapeFormula, unescapeFormula } from '../../../src/lib/text/csv.ts';

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
    const cell = toCsv([[text]]).trimEnd();
    expect(cell.replace(/^"/, '')).toMatch(/^'/);
    expect(unescapeFormula(escapeFormula(text))).toBe(text);
  });

  test.each(['', 'plain', "it's", "'quoted'", 'a=b', '1-2'])(
    'leaves the text %j unchanged',
    (text) => {
      expect(escapeFormula(text)).toBe(text);
      expect(unescapeFormula(text)).toBe(text);
    },
  );

  test('leaves numbers unchanged, including negative ones', () => {
    expect(toCsv([[-5, 1.5, null, 'a,b']])).toBe('-5,1.5,,"a,b"\r\n');
    expect(toCsv([[0, -0.25, '"', 'x']])).toBe('0,-0.25,"""",x\r\n');
  });
});
