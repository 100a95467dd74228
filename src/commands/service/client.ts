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

/** What the service says of a refusal, in one line. */
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

const passingStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Seconds or a date (RFC 9110 §10.2.3) in ms from now; undefined when absent or not readable. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function refusal(response: http.IncomingMessage, body: string): Error {
  const { statusCode: status = 0, headers } = response;
  const reason = reasonOf(status, body);
  if (passingStatuses.has(status))
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

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandError('What answers at this URL is not the service.', { cause });
  }
}

interface Connection extends Address {
  agent: http.Agent;
}

/** A POST where there is a body, else a GET. */
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
    const sent = request(new URL(path, base), { method, agent, headers }, resolve);
    const giveUp = () => void sent.destroy(new Error('no answer in time'));
    const timer = setTimeout(giveUp, timeoutMs).unref();
    sent.on('error', (cause: Error) => reject(new TransientError(cause.message, undefined, cause)));
    sent.once('close', () => clearTimeout(timer));
    sent.end(body);
  });
}

/**
 * Talks JSON with a running service. Rejects with a TransientError for what may work when tried
 * again (no connection, no answer in time, 429, 5xx), with a CommandError for what will not.
 */
export function createClient({ base, key }: Address) {
  const { Agent } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });

  async function accepted(
    path: string,
    body: string | undefined,
    timeoutMs: number,
  ): Promise<http.IncomingMessage> {
    const response = await send({ base, key, agent }, path, body, timeoutMs);
    if (response.statusCode === 200) return response;
    throw refusal(response, await text(response).catch(() => ''));
  }

  async function json(path: string, body: string | undefined, timeoutMs: number): Promise<unknown> {
    const answer = await text(await accepted(path, body, timeoutMs)).catch((cause: unknown) => {
      throw new TransientError('the connection was lost', undefined, cause);
    });
    return parseAnswer(answer);
  }

  return {
    /** The parsed JSON answer to a POST. */
    json: (path: string, body: string, timeoutMs: number): Promise<unknown> =>
      json(path, body, timeoutMs),

    /** The parsed JSON answer to a GET. */
    get: (path: string, timeoutMs: number): Promise<unknown> => json(path, undefined, timeoutMs),

    /** The answer's body, once it has begun. The stream fails when the transfer breaks. */
    stream: (path: string, body: string): Promise<Readable> => accepted(path, body, dayMs),

    close: (): void => agent.destroy(),
  };
}

export type Client = ReturnType<typeof createClient>;
