import { PaymentEvent } from './schemas.ts';

const deepest = 64;

/** PostgreSQL's jsonb takes neither NUL nor half characters. */
const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** The value with texts that jsonb takes. Throws a RangeError for one that is nested deeper than any event is. */
function storable(value: unknown, depth = deepest): unknown {
  if (depth === 0) throw new RangeError('nested too deeply');
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storableText(name),
      storable(member, depth - 1),
    ]),
  );
}

/** An event, and the JSON text of all that came with it. Undefined for a body that is no event. */
export function readEvent(body: Buffer): { event: PaymentEvent; payload: string } | undefined {
  try {
    const value = storable(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
    const { success, data } = PaymentEvent.safeParse(value);
    return success ? { event: data, payload: JSON.stringify(value) } : undefined;
  } catch {
    // The error would repeat a part of the body.
    return undefined;
  }
}
