import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { isDeepStrictEqual } from 'node:util';
import type { TestApp } from '../../support/app.ts';
import { rounds } from '../../support/rounds.ts';
import type { Method } from './routes.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Request {
  url: string;
  /** Default: GET. */
  method?: Method;
  headers?: Headers;
  payload?: string | Buffer;
}

/** What the checks read of an answer. */
export interface Answer {
  status: number;
  /** The content type without parameters; empty when there is none. */
  type: string;
  headers: Headers;
  /** The names in Vary, in lower case. */
  vary: readonly string[];
  body: string;
}

/** All faults that a check has found, and how many answers it has judged. */
export interface Findings {
  faults: string[];
  checked: number;
}

/** Asks the routes of one service. */
export interface Sweep {
  app: TestApp;
  routes: readonly RouteOptions[];
  /** Sends a request, unless the sweep has already sent the same one. */
  ask: (request: Request) => Promise<Answer>;
  /** Returns every request so far with its answer. */
  asked: () => Promise<[request: Request, answer: Answer][]>;
}

function answerOf(
  { statusCode, headers, body }: LightMyRequestResponse,
  bodies: Map<string, string>,
): Answer {
  // The same page answers many requests: it is kept once.
  const kept = bodies.get(body) ?? body;
  bodies.set(kept, kept);
  return {
    status: statusCode,
    type: String(headers['content-type'] ?? '').replace(/;.*/, ''),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    vary: (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase()),
    body: kept,
  };
}

/** Creates a function that names requests, each by another key. */
function createKeys(): (request: Request) => string {
  // Payloads are numbered: some have a megabyte.
  const payloads = new Map<unknown, number>();
  return ({ method = 'GET', url, headers = {}, payload }) => {
    const number = payloads.get(payload) ?? payloads.size;
    payloads.set(payload, number);
    return JSON.stringify([method, url, number, Object.entries(headers).sort()]);
  };
}

export function createSweep(app: TestApp): Sweep {
  const answers = new Map<string, Promise<Answer>>();
  const requests: [Request, Promise<Answer>][] = [];
  const bodies = new Map<string, string>();
  const keyOf = createKeys();
  return {
    app,
    routes: app.http.registeredRoutes,
    ask(request) {
      const key = keyOf(request);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = app.http
        .inject({ ...request } satisfies InjectOptions)
        .then((sent) => answerOf(sent, bodies));
      answers.set(key, answer);
      requests.push([request, answer]);
      return answer;
    },
    asked: () =>
      Promise.all(
        requests.map(async ([request, answer]): Promise<[Request, Answer]> => [
          request,
          await answer,
        ]),
      ),
  };
}

/** Checks one item after the other. Returns the faults of all. */
export async function checkEach<T>(
  items: readonly T[],
  check: (item: T, at: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [at, item] of items.entries()) faults.push(...(await check(item, at)));
  return faults;
}

/**
 * Returns `usual` of the variants, other ones for each `at`, so that the routes share them; all in
 * `npm test -- --exhaustive`.
 */
export function inTurn<T>(variants: readonly T[], at: number, usual = 1): readonly T[] {
  const first = at % variants.length;
  const turned = [...variants.slice(first), ...variants.slice(0, first)];
  return turned.slice(0, rounds(usual, variants.length));
}

/** Returns a fault unless `found` is exactly as promised. */
export const faultUnless = (name: string, found: object, promised: object): string[] =>
  isDeepStrictEqual(found, promised)
    ? []
    : [`${name}: ${JSON.stringify(found)}, not ${JSON.stringify(promised)}`];
