import type { IncomingMessage } from 'node:http';

/**
 * Returns how often a request has a header. `name` is in lower case. Node's parsed headers merge or
 * drop repeated ones.
 */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}
