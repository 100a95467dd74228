import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Address } from './address.ts';
import { CommandError } from './command.ts';
import { TransientError } from './retry.ts';
import { dayMs } from '../../lib/durations.ts';

const problem = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
  ]),
});

/** The service's reason for a refusal, in one line. */
function reasonOf(status: number, body: string): string {
  try {
    const { detail } = problem.parse(JSON.parse(body));
    return typeof detail === 'string'
      ? detail
      : detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ');
  } catch {
    return `it answered ${status}`;
  }
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Parses Retry-After (RFC 9110 §10.2.3) to ms from now; undefined when absent or invalid. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function toError(response: http.IncomingMessage, body: string): Error {
  const { statusCode: status = 0, headers } = response;
  const reason = reasonOf(status, body);
  if (transientStatuses.has(status))
    return new TransientError(reason, retryAfterMs(headers['retry-after'], Date.now()));
  if (status === 401)
    return new CommandError(`The service does not accept the API key (${reason})`);
  if (status === 403) return new CommandError(`The API key may not do this (${reason})`);
  if (status >= 300 && status < 400)
    return new CommandError(
      'The service answers from elsewhere: give its own URL ' +
        `(${headers.location ?? 'no location'}).`,
    );
  return new CommandError(`The service refused the request (${status}): ${reason}`);
}

function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandError('What answers at this URL is not the service.', { cause });
  }
}

interface Connection extends Address {
  agent: http.Agent;
}

/** Sends a POST with a body, else a GET. */
function send(
  { base, key, agent }: Connection,
  path: string,
  body: string | undefined,
  timeoutMs: number,
): Promise<http.IncomingMessage> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    authorization: `Bearer ${key}`,
    'user-agent': 'platform-service-command',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const { request } = base.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, base), { method, agent, headers }, resolve);
    const onTimeout = () => void outgoing.destroy(new Error('no answer in time'));
    const timer = setTimeout(onTimeout, timeoutMs).unref();
    outgoing.on('error', (cause: Error) =>
      reject(new TransientError(cause.message, undefined, cause)),
    );
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.end(body);
  });
}

/**
 * Creates a JSON client of a running service. Calls reject with a TransientError when a retry may
 * succeed (no connection, timeout, 429, 5xx), else with a CommandError.
 */
export function createClient({ base, key }: Address) {
  const { Agent } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });

  async function sendAccepted(
    path: string,
    body: string | undefined,
    timeoutMs: number,
  ): Promise<http.IncomingMessage> {
    const response = await send({ base, key, agent }, path, body, timeoutMs);
    if (response.statusCode === 200) return response;
    throw toError(response, await text(response).catch(() => ''));
  }

  async function json(path: string, body: string | undefined, timeoutMs: number): Promise<unknown> {
    const answer = await text(await sendAccepted(path, body, timeoutMs)).catch((cause: unknown) => {
      throw new TransientError('the connection was lost', undefined, cause);
    });
    return parseResponse(answer);
  }

  return {
    /** The parsed JSON response to a POST. */
    json: (path: string, body: string, timeoutMs: number): Promise<unknown> =>
      json(path, body, timeoutMs),

    /** The parsed JSON response to a GET. */
    get: (path: string, timeoutMs: number): Promise<unknown> => json(path, undefined, timeoutMs),

    /** The body of the response as a stream, which fails when the connection breaks. */
    stream: (path: string, body: string): Promise<Readable> => sendAccepted(path, body, dayMs),

    close: (): void => agent.destroy(),
  };
}

export type Client = ReturnType<typeof createClient>;
