/** Maximum size of an event in a batch, in bytes of JSON. */
const maxBytes = 32 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;

/** Returns the approximate JSON length of an object. Nested objects are pushed to `open`. */
function membersLength(object: JsonObject, open: JsonObject[], isExact: boolean): number {
  let length = 2;
  // for…in is twice as fast as Object.entries, and parsed JSON inherits no properties.
  for (const key in object) {
    const value = object[key];
    length += key.length + 4;
    if (typeof value === 'string') length += isExact ? Buffer.byteLength(value) : value.length;
    else if (isObject(value)) open.push(value);
    else length += 4;
  }
  return length;
}

/** Returns the approximate JSON length. Not recursive, since hostile bodies nest deeply. */
function jsonLength(event: JsonObject, isExact: boolean): number {
  const open = [event];
  let length = 0;
  for (let part = open.pop(); part !== undefined && length <= maxBytes; part = open.pop()) {
    length += membersLength(part, open, isExact);
  }
  return length;
}

/** Whether an event exceeds 32 KiB of JSON. Counts UTF-16 units first, which usually decides. */
export function isTooLarge(event: unknown): boolean {
  if (!isObject(event)) return typeof event === 'string' && Buffer.byteLength(event) > maxBytes;
  const units = jsonLength(event, false);
  return units > maxBytes || (units * 3 > maxBytes && jsonLength(event, true) > maxBytes);
}
