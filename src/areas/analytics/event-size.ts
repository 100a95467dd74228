/** Bytes of JSON that one event of a batch may have. */
const largest = 32 * 1024;

/** About the length of `value` as JSON. Without recursion: a body may be nested as deep as it is long. */
function jsonLength(value: unknown, lengthOf: (text: string) => number): number {
  let length = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && length <= largest) {
    const part = open.pop();
    if (typeof part === 'string') length += lengthOf(part) + 3;
    else if (typeof part !== 'object' || part === null) length += 6;
    else {
      length += 2;
      for (const [key, inner] of Object.entries(part)) {
        if (!Array.isArray(part)) length += lengthOf(key) + 3;
        open.push(inner);
      }
    }
  }
  return length;
}

/** True when the event has more than 32 KiB of JSON. UTF-16 units are counted first: most events need no more. */
export function isTooLarge(event: unknown): boolean {
  const units = jsonLength(event, (text) => text.length);
  return units > largest || (units * 3 > largest && jsonLength(event, (text) => Buffer.byteLength(text)) > largest);
}
