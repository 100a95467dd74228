/** Bytes of JSON that one event of a batch may have. */
const largest = 32 * 1024;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/**
 * About the bytes that the members of `part` take as JSON, without those of objects: these go to
 * `open`.
 */
function lengthOfMembers(part: Members, open: Members[], isExact: boolean): number {
  let length = 2;
  // for…in: twice as fast as Object.entries, and JSON has nothing to inherit.
  for (const key in part) {
    const value = part[key];
    length += key.length + 4;
    if (typeof value === 'string') length += isExact ? Buffer.byteLength(value) : value.length;
    else if (isMembers(value)) open.push(value);
    else length += 4;
  }
  return length;
}

/**
 * About the length of an event as JSON. Without recursion: a body may be nested as deep as it is
 * long.
 */
function jsonLength(event: Members, isExact: boolean): number {
  const open = [event];
  let length = 0;
  for (let part = open.pop(); part !== undefined && length <= largest; part = open.pop()) {
    length += lengthOfMembers(part, open, isExact);
  }
  return length;
}

/**
 * True when the event has more than 32 KiB of JSON. UTF-16 units are counted first: most events
 * need no more.
 */
export function isTooLarge(event: unknown): boolean {
  if (!isMembers(event)) return typeof event === 'string' && Buffer.byteLength(event) > largest;
  const units = jsonLength(event, false);
  return units > largest || (units * 3 > largest && jsonLength(event, true) > largest);
}
