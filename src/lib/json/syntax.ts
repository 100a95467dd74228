/** A JSON syntax error in the format of Python's `json` module. */
export interface JsonSyntaxError {
  /** In characters (code points) from the start of the text. */
  offset: number;
  message: string;
}

type State = 'value' | 'opened' | 'key' | 'after';
type Outcome = State | JsonSyntaxError | undefined;

interface Cursor {
  readonly text: string;
  readonly open: ('{' | '[')[];
  at: number;
}

const scalar = /(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)/y;
const closers = { '{': '}', '[': ']' } as const;
const containers = { '{': 'object', '[': 'array' } as const;

function failure(message: string, offset: number): JsonSyntaxError {
  return { message, offset };
}

function skipWhitespace(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (
    let code = text.charCodeAt(at);
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    code = text.charCodeAt(at)
  )
    at += 1;
  cursor.at = at;
}

function surrogatePairs(text: string, end: number): number {
  let pairs = 0;
  for (let at = 0; at < end; at++) {
    if (
      text.charCodeAt(at) >>> 10 === 0x36 &&
      text.charCodeAt(at + 1) >>> 10 === 0x37 &&
      at + 1 < end
    )
      pairs += 1;
  }
  return pairs;
}

function escapeError(cursor: Cursor, begin: number): JsonSyntaxError | undefined {
  const { text, at } = cursor;
  const escape = text.charAt(at + 1);
  if (escape === '') return failure('Unterminated string starting at', begin);
  if (escape !== 'u') {
    cursor.at += 2;
    return '"\\/bfnrt'.includes(escape) ? undefined : failure('Invalid \\escape', at);
  }
  cursor.at += 6;
  const valid = /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) && at + 6 < text.length;
  return valid ? undefined : failure('Invalid \\uXXXX escape', at + 1);
}

function scanString(cursor: Cursor): JsonSyntaxError | undefined {
  const begin = cursor.at;
  cursor.at += 1;
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (Number.isNaN(code)) return failure('Unterminated string starting at', begin);
    if (code < 0x20) return failure('Invalid control character at', cursor.at);
    if (code === 0x5c) {
      const error = escapeError(cursor, begin);
      if (error !== undefined) return error;
      continue;
    }
    cursor.at += 1;
    if (code === 0x22) return undefined;
  }
}

function scanValue(cursor: Cursor): Outcome {
  const first = cursor.text.charAt(cursor.at);
  if (first === '{' || first === '[') {
    cursor.open.push(first);
    cursor.at += 1;
    return 'opened';
  }
  if (first === '"') return scanString(cursor) ?? 'after';
  scalar.lastIndex = cursor.at;
  const match = scalar.exec(cursor.text);
  if (match === null) return failure('Expecting value', cursor.at);
  cursor.at += match[0].length;
  return 'after';
}

function scanKey(cursor: Cursor): Outcome {
  if (cursor.text.charAt(cursor.at) !== '"') {
    return failure('Expecting property name enclosed in double quotes', cursor.at);
  }
  const error = scanString(cursor);
  if (error !== undefined) return error;
  skipWhitespace(cursor);
  if (cursor.text.charAt(cursor.at) !== ':') return failure("Expecting ':' delimiter", cursor.at);
  cursor.at += 1;
  return 'value';
}

function scanOpened(cursor: Cursor): Outcome {
  const container = cursor.open.at(-1) ?? '[';
  if (cursor.text.charAt(cursor.at) !== closers[container])
    return container === '{' ? 'key' : 'value';
  cursor.open.pop();
  cursor.at += 1;
  return 'after';
}

function scanAfter(cursor: Cursor): Outcome {
  const container = cursor.open.at(-1);
  const next = cursor.text.charAt(cursor.at);
  if (container === undefined) return next === '' ? undefined : failure('Extra data', cursor.at);
  if (next === closers[container]) return scanOpened(cursor);
  if (next !== ',') return failure("Expecting ',' delimiter", cursor.at);
  const comma = cursor.at;
  cursor.at += 1;
  skipWhitespace(cursor);
  if (cursor.text.charAt(cursor.at) === closers[container]) {
    return failure(`Illegal trailing comma before end of ${containers[container]}`, comma);
  }
  return container === '{' ? 'key' : 'value';
}

const steps: Record<State, (cursor: Cursor) => Outcome> = {
  value: scanValue,
  opened: scanOpened,
  key: scanKey,
  after: scanAfter,
};

/**
 * Returns the first violation of RFC 8259 in `text`, as Python 3.13's decoder reports it;
 * `undefined` for valid JSON. Does not recurse, so that deeply nested text cannot exhaust the call
 * stack.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  const cursor: Cursor = { text, open: [], at: 0 };
  let outcome: Outcome = 'value';
  while (typeof outcome === 'string') {
    skipWhitespace(cursor);
    outcome = steps[outcome](cursor);
  }
  if (outcome === undefined) return undefined;
  return { ...outcome, offset: outcome.offset - surrogatePairs(text, outcome.offset) };
}
