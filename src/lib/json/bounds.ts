/** Limits of a JSON text. Nesting, values and member names cost the parser more than length. */
export interface JsonBounds {
  /** Maximum nesting of arrays and objects. */
  depth: number;
  /** Maximum number of array values and object members in total. */
  values: number;
  /**
   * Maximum number of distinct member names, as each new one makes the parser create a new object
   * shape.
   */
  names: number;
}

export type Excess = 'depth' | 'values' | 'names';

const [quote, comma, openArray, backslash, closeArray, openObject, closeObject, colon] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x3a,
];

/** Returns the index of the closing quote of the string at `begin`, or the length of the text. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let next = end + 1;
  for (
    let code = text.charCodeAt(next);
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    code = text.charCodeAt(next)
  )
    next += 1;
  return text.charCodeAt(next) === colon;
}

/**
 * Returns the bound that a JSON text exceeds, before it is parsed; undefined when it exceeds none.
 * Scans the text once, up to the first excess. Does not detect invalid JSON.
 */
export function findExcess(text: string, { depth, values, names }: JsonBounds): Excess | undefined {
  // A text this short cannot exceed a bound. Most bodies are short.
  if (text.length <= depth) return undefined;
  const seen = text.length > 4 * names ? new Set<string>() : undefined;
  let open = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (seen !== undefined && isName(text, end)) {
        seen.add(text.slice(at, end));
        if (seen.size > names) return 'names';
      }
      at = end;
    } else if (code === openArray || code === openObject) {
      open += 1;
      count += 1;
      if (open > depth) return 'depth';
      if (count > values) return 'values';
    } else if (code === closeArray || code === closeObject) open -= 1;
    else if (code === comma) {
      count += 1;
      if (count > values) return 'values';
    }
  }
  return undefined;
}

/** Removes members called `__proto__`, which `Object.assign` would set as prototypes. */
function withoutPrototypes(root: unknown): unknown {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const inner of Object.values(value))
      if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return root;
}

/** Like JSON.parse, but removes members called `__proto__`. Throws the same errors. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes('__proto__') || text.includes('\\u00') ? withoutPrototypes(value) : value;
}
