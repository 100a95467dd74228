import bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import type { Origin } from './sign-in.ts';

/** Browser and system in a few words, to recognise a session by: `Firefox on macOS`. */
export function clientName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'Unknown client';
  const { browser, os } = bowser.parse(userAgent.slice(0, 512));
  const name = browser.name ?? userAgent.slice(0, 40);
  return os.name === undefined ? name : `${name} on ${os.name}`;
}

/** Where a request comes from, for sessions and the audit log. */
export function origin(request: FastifyRequest, now: number): Origin {
  return { begun: now, client: clientName(request.headers['user-agent']), address: request.ip, requestId: request.id };
}
