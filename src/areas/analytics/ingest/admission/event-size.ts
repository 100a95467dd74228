/** Maximum size of one event of a batch, bytes of JSON. */
const maxBytes = 32 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;

/** Approximate JSON length of an object's members. Nested objects are pushed to `open` instead. */
function membersLength(object: JsonObject, open: JsonObject[], isExact: boolean): number {
  let length = 2;
  // for…in: twice as fast as Object.entries, and JSON has nothing to inherit.
  for (const key in object) {
    const value = object[key];
    length += key.length + 4;
    if (typeof value === 'string') length += isExact ? Buffer.byteLength(value) : value.length;
    else if (isObject(value)) open.push(value);
    else length += 4;
  }
  return length;
}

/** Approximate JSON length, without recursion: a body may nest as deep as it is long. */
function jsonLength(event: JsonObject, isExact: boolean): number {
  const open = [event];
  let length = 0;
  for (let part = open.pop(); part !== undefined && length <= maxBytes; part = open.pop()) {
    length += membersLength(part, open, isExact);
  }
  return length;
}

/** True for more than 32 KiB of JSON. Counts UTF-16 units first, which decides most events. */
export function isTooLarge(event: unknown): boolean {
  if (!isObject(event)) return typeof event === 'string' && Buffer.byteLength(event) > maxBytes;
  const units = jsonLength(event, false);
  return units > maxBytes || (units * 3 > maxBytes && jsonLength(event, true) > maxBytes);
}
