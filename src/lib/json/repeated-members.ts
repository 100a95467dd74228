/** The way down to a value in a JSON text: names of members, and places in arrays. */
export type JsonPath = (string | number)[];

interface Level {
  /** The names so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** Where the scan is in it. */
  at: string | number;
}

interface Scan {
  readonly text: string;
  readonly levels: Level[];
  /** In characters from the beginning of the text. */
  at: number;
  /** True where a string is the name of a member. */
  isName: boolean;
}

const [quote, comma, openArray, backslash, closeArray, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

/** Steps over the string that begins here; gives it with its quotes. */
function takeString(scan: Scan): string {
  const begin = scan.at;
  scan.at += 1;
  for (
    let code = scan.text.charCodeAt(scan.at);
    code !== quote;
    code = scan.text.charCodeAt(scan.at)
  ) {
    if (Number.isNaN(code)) break;
    scan.at += code === backslash ? 2 : 1;
  }
  return scan.text.slice(begin, scan.at + 1);
}

const nameOf = (quoted: string): string =>
  quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);

/** True when the string that begins here is a name that its object has already. */
function repeatsName(scan: Scan, level: Level | undefined): boolean {
  const quoted = takeString(scan);
  if (!scan.isName || level?.names === undefined) return false;
  const name = nameOf(quoted);
  scan.isName = false;
  level.at = name;
  if (level.names.has(name)) return true;
  level.names.add(name);
  return false;
}

function open(scan: Scan, isObject: boolean): void {
  scan.levels.push(isObject ? { names: new Set(), at: '' } : { names: undefined, at: 0 });
  scan.isName = isObject;
}

function next(scan: Scan, level: Level | undefined): void {
  scan.isName = level?.names !== undefined;
  if (typeof level?.at === 'number') level.at += 1;
}

/**
 * Finds the first member that its object has twice, and gives the way to it; undefined when there
 * is none. Names are compared as JSON.parse reads them, so `"\u0061"` is `"a"`. `text` must be JSON
 * that JSON.parse has taken: it silently keeps the last of such members, where other readers keep
 * the first (RFC 8259 §4). Each character is looked at once, and nesting costs memory in the order
 * of the text, no call stack.
 */
export function findRepeatedMember(text: string): JsonPath | undefined {
  const scan: Scan = { text, levels: [], at: 0, isName: false };
  for (; scan.at < text.length; scan.at += 1) {
    const code = text.charCodeAt(scan.at);
    const level = scan.levels.at(-1);
    if (code === quote) {
      if (repeatsName(scan, level)) return scan.levels.map(({ at }) => at);
    } else if (code === openObject || code === openArray) open(scan, code === openObject);
    else if (code === closeObject || code === closeArray) scan.levels.pop();
    else if (code === comma) next(scan, level);
  }
  return undefined;
}
