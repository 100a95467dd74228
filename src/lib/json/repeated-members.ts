/** The path to a value in a JSON text: member names and array indexes. */
export type JsonPath = (string | number)[];

interface Level {
  /** The member names so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The current member name or array index. */
  at: string | number;
}

interface Scan {
  readonly text: string;
  readonly levels: Level[];
  /** The current offset in the text, in UTF-16 code units. */
  at: number;
  /** True when the next string is a member name. */
  isName: boolean;
}

const [quote, comma, openArray, backslash, closeArray, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

/** Skips the string at the current offset and returns it with its quotes. */
function scanString(scan: Scan): string {
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

/** Scans a string. Returns true when it is a member name that its object already has. */
function scanName(scan: Scan, level: Level | undefined): boolean {
  const quoted = scanString(scan);
  if (!scan.isName || level?.names === undefined) return false;
  const name = nameOf(quoted);
  scan.isName = false;
  level.at = name;
  if (level.names.has(name)) return true;
  level.names.add(name);
  return false;
}

function openLevel(scan: Scan, isObject: boolean): void {
  scan.levels.push(isObject ? { names: new Set(), at: '' } : { names: undefined, at: 0 });
  scan.isName = isObject;
}

function nextEntry(scan: Scan, level: Level | undefined): void {
  scan.isName = level?.names !== undefined;
  if (typeof level?.at === 'number') level.at += 1;
}

/**
 * Returns the path of the first repeated member of an object; undefined without one. Names are
 * compared decoded, so `"\u0061"` equals `"a"`. `text` must be valid JSON. JSON.parse silently
 * keeps the last of repeated members, while other parsers keep the first (RFC 8259 §4). Takes
 * linear time and memory, and does not recurse.
 */
export function findRepeatedMember(text: string): JsonPath | undefined {
  const scan: Scan = { text, levels: [], at: 0, isName: false };
  for (; scan.at < text.length; scan.at += 1) {
    const code = text.charCodeAt(scan.at);
    const level = scan.levels.at(-1);
    if (code === quote) {
      if (scanName(scan, level)) return scan.levels.map(({ at }) => at);
    } else if (code === openObject || code === openArray) openLevel(scan, code === openObject);
    else if (code === closeObject || code === closeArray) scan.levels.pop();
    else if (code === comma) nextEntry(scan, level);
  }
  return undefined;
}
