import { parse } from 'csv-parse/sync';
import type { TestResponse } from './client.ts';

type Named = readonly [what: string, text: string];

/** What no field takes, whether of one line or of several. */
const hostileAnywhere: readonly Named[] = [
  ['a null byte', 'Ada\0Lovelace'],
  ['a control character', 'Ada\u0007Lovelace'],
  ['a C1 control character', 'Ada\u0085Lovelace'],
  ['20,000 characters', 'A'.repeat(20_000)],
];

/** What no field takes that does not replace it. */
const brokenUnicode: readonly Named[] = [
  ['a lone high surrogate', 'Ada\ud800Lovelace'],
  ['a lone low surrogate', 'Ada\udc00Lovelace'],
];

/** What no field of one line takes. */
const hostileLines: readonly Named[] = [
  ...hostileAnywhere,
  ['a header after a line break', 'Ada\r\nBcc: everybody@example.com'],
  ['a line separator', 'Ada\u2028Lovelace'],
  ['a text that is turned around', 'exe.\u202Efdp'],
  ['an isolated text that is turned around', 'exe.\u2067fdp'],
];

/** Sends a text in one field. */
type Send = (text: string) => Promise<TestResponse>;

interface Expected {
  /** The status of a refusal. Default: 422. */
  refusal?: number;
}

async function accepted(
  texts: readonly Named[],
  send: Send,
  { refusal = 422 }: Expected,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, text] of [...texts, ...brokenUnicode]) {
    const { status } = await send(text);
    if (status !== refusal) faults.push(`${what}: ${status}`);
  }
  return faults;
}

/** Sends every text that a field of one line must refuse. Returns those that are not refused. */
export const acceptedLines = (send: Send, expected: Expected = {}): Promise<string[]> =>
  accepted(hostileLines, send, expected);

/** Like `acceptedLines`, for a field of several lines. */
export const acceptedTexts = (send: Send, expected: Expected = {}): Promise<string[]> =>
  accepted(hostileAnywhere, send, expected);

/** Texts that a spreadsheet would run, if a cell began with them. */
export const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '=HYPERLINK("https://evil.example")'];

/** Returns the cells of a CSV file that a spreadsheet would run. */
export const formulaCells = (csv: string): string[] =>
  parse(csv)
    .flat()
    .filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell));

/** Everything of a response that could tell two cases apart, except for its time and ids. */
export function comparable({ status, headers, text }: TestResponse): object {
  const {
    date: _date,
    'x-request-id': _id,
    'ratelimit-remaining': _remaining,
    'ratelimit-reset': _reset,
    ...others
  } = headers;
  return { status, headers: others, text: text.replace(/"request_id":"[^"]*"/, '') };
}

/** Does the same thing many times at once. Returns the sorted statuses. */
export async function atOnce(times: number, act: () => Promise<TestResponse>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: times }, act));
  return responses.map(({ status }) => status).sort();
}

/** The statuses of `atOnce` when one of them succeeds. */
export const oneOf = (times: number, success: number, refusal: number): number[] =>
  [success, ...Array.from({ length: times - 1 }, () => refusal)].sort();
