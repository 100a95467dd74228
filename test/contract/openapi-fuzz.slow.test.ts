import fc from 'fast-check';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/platform/openapi/document.ts';
import { asAdmin, freshApp } from '../support/app.ts';
import { createSchemaCheck } from '../support/json-schema.ts';
import { rounds } from '../support/rounds.ts';
import {
  type Requester,
  type FuzzRequest,
  idMarks,
  requestArbitrary,
  type Target,
} from '../support/request-arbitrary.ts';
import { createAnswerCheck } from './openapi-fuzz-check.ts';

const runs = rounds(4000, 10_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Limits the run to operations whose id contains this. */
const only = process.env.FUZZ_ONLY ?? '';
const timeoutMs = 10_000;
const concurrency = 8;

const app = await freshApp();
const document = (await app.http.inject('/api/openapi.json')).json<OpenApiDocument>();

const targets = (): Target[] =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => operation.operationId?.includes(only));

/**
 * Creates the credentials of each kind of requester. After `forget`, the next request opens a new
 * session: a random request may have ended the old one.
 */
function createRequesters() {
  let credentials: Partial<Record<Requester, Record<string, string>>> = {};
  let used = 0;

  async function open(requester: 'user' | 'browser'): Promise<Record<string, string>> {
    const email = `${requester}@example.com`;
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    const proof = { amr: ['otp'], acr: 'aal2' as const, begun: Date.now(), client: 'A fuzzer' };
    if (requester === 'user') {
      const { accessToken } = await app.services.sessions.openBearer(user, proof);
      return { authorization: `Bearer ${accessToken}` };
    }
    return {
      cookie: `svc_session=${(await app.services.sessions.openCookie(user, proof)).cookie}`,
      'sec-fetch-site': 'same-origin',
    };
  }

  return {
    async headersOf(requester: Requester): Promise<Record<string, string>> {
      if (requester === 'admin') return asAdmin;
      if (requester === 'nobody') return {};
      if (requester === 'liar')
        return (used += 1) % 2 === 0
          ? { authorization: 'Bearer svca_not-a-token' }
          : { cookie: 'svc_session=not-a-session' };
      return (credentials[requester] ??= await open(requester));
    },
    forget: (requester: Requester) => {
      credentials = { ...credentials, [requester]: undefined };
    },
  };
}

/**
 * Collects ids from answers, newest last, by the path that returned them: requests to nested paths
 * need existing ids.
 */
function createKnownIds() {
  const known = new Map<string, string[]>();
  const collectionOf = (path: string): string => path.split('/{', 1).join('');
  const collect = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const ids = known.get(collectionOf(path)) ?? [];
    known.set(collectionOf(path), ids);
    for (const [name, member] of Object.entries(value)) {
      if (
        typeof member === 'string' &&
        /(^|_)id$|^next_cursor$/.test(name) &&
        ids.at(-1) !== member &&
        member.length < 80
      )
        ids.push(member);
      else collect(path, member);
    }
  };
  const fill = (path: string, url: string) => {
    const ids = known.get(collectionOf(path)) ?? [];
    return url.replace(idMarks, (mark, at: string) =>
      encodeURIComponent(ids.at(-1 - (Number(at) % Math.max(1, ids.length))) ?? mark),
    );
  };
  return { collect, fill };
}

async function withTimeout(
  work: Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

describe('every operation of the OpenAPI document', () => {
  it(
    `answers ${runs} random requests as documented, without an unexpected server error`,
    async () => {
      const hidden = new Set(
        app.http.registeredRoutes
          .filter(({ schema }) => schema?.hide === true)
          .flatMap(({ method, url }) =>
            [method].flat().map((each) => `${each} ${url.replace(/\/$/, '')}`),
          ),
      );
      const check = createAnswerCheck(document, createSchemaCheck(document), (method, path) =>
        hidden.has(`${method} ${path}`),
      );
      const all = targets();
      const requests = fc.sample(
        fc
          .constantFrom(...all)
          .chain((target) => requestArbitrary(target, document.components.schemas)),
        { seed, numRuns: runs },
      );
      const requesters = createRequesters();
      const known = createKnownIds();
      const statuses: Record<number, number> = {};
      const met = new Set<string>();
      const good = new Set<string>();
      const faults = new Map<string, { count: number; example: string }>();

      async function send({
        requester,
        method,
        url,
        headers,
        payload,
        target,
      }: FuzzRequest): Promise<LightMyRequestResponse | undefined> {
        const credentials = await requesters.headersOf(requester);
        const options: InjectOptions = {
          method,
          url: known.fill(target.path, url),
          remoteAddress: `203.0.113.${(url.length % 250) + 1}`,
          headers: { ...headers, ...credentials },
          ...(payload === undefined ? {} : { payload }),
        };
        return withTimeout(app.http.inject(options));
      }

      async function tryRequest(request: FuzzRequest): Promise<void> {
        const first = await send(request);
        // This process also generates and checks requests. Meanwhile a store's reply can miss its
        // deadline.
        const answer =
          first?.body.includes('"request.unavailable"') === true ? await send(request) : first;
        const { requester, method, url, target } = request;
        const found =
          answer === undefined ? [`no answer within ${timeoutMs} ms`] : check(request, answer);
        const name = target.operation.operationId ?? '';
        for (const fault of found) {
          const key = `${name} ${method === target.method ? '' : `(as ${method}) `}${fault}`;
          const example =
            `${requester}: ${method} ${url} ${JSON.stringify(request.headers)} ` +
            `${request.payload?.slice(0, 300) ?? ''} → ${answer?.body.slice(0, 200) ?? ''}`;
          faults.set(key, {
            count: (faults.get(key)?.count ?? 0) + 1,
            example: faults.get(key)?.example ?? example,
          });
        }
        if (answer === undefined) return;
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
        met.add(name);
        if (answer.statusCode < 400 && method === target.method) good.add(name);
        if (answer.statusCode === 401) requesters.forget(requester);
        if (
          answer.statusCode < 300 &&
          /^application\/json\b/.test(String(answer.headers['content-type'])) &&
          answer.body.length < 20_000 &&
          answer.body !== ''
        )
          known.collect(target.path, JSON.parse(answer.body));
      }

      process.stdout.write(
        `fuzz: seed ${seed} (FUZZ_SEED), ${runs} requests to ${all.length} operations\n`,
      );
      const began = performance.now();
      for (let at = 0; at < requests.length; at += concurrency)
        await Promise.all(requests.slice(at, at + concurrency).map(tryRequest));
      const seconds = (performance.now() - began) / 1000;
      process.stdout.write(
        `fuzz: ${seconds.toFixed(1)} s, ${met.size} of ${all.length} operations met, ` +
          `${good.size} answered well, statuses ${JSON.stringify(statuses)}\n`,
      );
      process.stdout.write(
        `fuzz: only refused: ${all
          .map(({ operation }) => operation.operationId ?? '')
          .filter((id) => !good.has(id))
          .join(' ')}\n`,
      );
      if (faults.size > 0)
        process.stdout.write(
          app
            .log()
            .split('\n')
            .filter((line) => line.includes('"request failed"') || line.includes('contract bug'))
            .slice(0, 20)
            .join('\n'),
        );
      expect(
        [...faults].map(
          ([fault, { count, example }]) => `${fault} (${count} times)\n      ${example}`,
        ),
      ).toEqual([]);
      if (runs >= all.length * 20) expect(met.size).toBe(all.length);
    },
    Math.max(300_000, runs * 60),
  );
});
