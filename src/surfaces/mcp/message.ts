import { findExcess, parseJson } from '../../lib/json/bounds.ts';

/** What a message may hold: what reads it next may go down level by level. */
const bounds = { depth: 64, values: 10_000, names: 1000 };

/** The message in a body, without members called `__proto__`; undefined for what is no JSON, or holds too much to be looked at. */
export function readMessage(text: string): unknown {
  try {
    return findExcess(text, bounds) === undefined ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

/** True for what opens a stream that stays: the one of a session, and listening to changes. */
export const opensStream = (httpMethod: string, message: unknown): boolean =>
  httpMethod === 'GET' ||
  (typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'subscriptions/listen');

/** The name of the tool that a message calls; undefined when it is no call. */
export function toCallOf(message: unknown): string | undefined {
  if (
    typeof message !== 'object' ||
    message === null ||
    !('method' in message) ||
    message.method !== 'tools/call' ||
    !('params' in message)
  )
    return undefined;
  const { params } = message;
  return typeof params === 'object' &&
    params !== null &&
    'name' in params &&
    typeof params.name === 'string'
    ? params.name
    : undefined;
}
