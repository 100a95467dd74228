import { storableText } from '../../lib/text/storable-text.ts';
import { PaymentEvent } from './schemas.ts';

const maxDepth = 64;

/** Makes all strings storable as jsonb. Throws a RangeError if the value is nested too deeply. */
function storable(value: unknown, depth = maxDepth): unknown {
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

/** The event, and the whole body as JSON text. Undefined if the body is not an event. */
export function parseEvent(body: Buffer): { event: PaymentEvent; payload: string } | undefined {
  try {
    const value = storable(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
    const { success, data } = PaymentEvent.safeParse(value);
    return success ? { event: data, payload: JSON.stringify(value) } : undefined;
  } catch {
    // The error is dropped because it would quote the body.
    return undefined;
  }
}
