const deepest = 64;

/** True when the value is nested at most `left` levels: what reads it next may go down level by level. */
function isShallow(value: unknown, left = deepest): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1));
}

const withoutPrototype = (name: string, value: unknown): unknown => (name === '__proto__' ? undefined : value);

/** The message in a body, without members called `__proto__`; undefined for what is no JSON, or too deep to be looked at. */
export function readMessage(text: string): unknown {
  try {
    const message: unknown = text.includes('__proto__') || text.includes('\\u00') ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
    return isShallow(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** True for what opens a stream that stays: the one of a session, and listening to changes. */
export const opensStream = (httpMethod: string, message: unknown): boolean =>
  httpMethod === 'GET' || (typeof message === 'object' && message !== null && 'method' in message && message.method === 'subscriptions/listen');

/** The name of the tool that a message calls; undefined when it is no call. */
export function toCallOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message) || message.method !== 'tools/call' || !('params' in message)) return undefined;
  const { params } = message;
  return typeof params === 'object' && params !== null && 'name' in params && typeof params.name === 'string' ? params.name : undefined;
}
