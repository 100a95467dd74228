import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type OpenApiDocument,
  operationsOf,
  type Response,
} from '../../src/platform/openapi/document.ts';
import { takesInput } from '../../src/platform/validation/validation.ts';
import { asAdmin, buildTestApp, type FreshApp } from '../support/app.ts';
import { codeOf, sourceFiles } from './source-files.ts';

let app: FreshApp;
let person: Record<string, string>;
beforeAll(async () => {
  app = await buildTestApp();
  const { user } = await app.services.users.signInAs({
    kind: 'email',
    key: 'refused@example.com',
    value: 'refused@example.com',
  });
  const proof = { amr: ['otp'], acr: 'aal2' as const, begun: Date.now(), client: 'A test' };
  person = {
    authorization: `Bearer ${(await app.services.sessions.openBearer(user, proof)).accessToken}`,
  };
});
afterAll(() => app.close());

type Method = NonNullable<InjectOptions['method']>;
interface Target {
  route: RouteOptions;
  method: Method;
  url: string;
}

const methodsOf = ({ method }: RouteOptions): Method[] => [method].flat();
const targetsOf = (routes: readonly RouteOptions[], fill: string): Target[] =>
  routes.flatMap((route) =>
    methodsOf(route).map((method) => ({
      route,
      method,
      url: route.url.replace(/:\w+/g, fill).replace('*', 'x'),
    })),
  );
const nameOf = ({ method, route }: Target): string => `${method} ${route.url}`;
const ask = (options: InjectOptions): Promise<LightMyRequestResponse> => app.http.inject(options);
const typeOf = ({ headers }: LightMyRequestResponse): string =>
  String(headers['content-type'] ?? '').replace(/;.*/, '');

/**
 * GraphQL, MCP (JSON-RPC) and SCIM have their own error formats; webhooks are bytes of any type.
 */
const ownRules = /^\/api\/graphql\/?$|^\/api\/v2\/mcp\/?$|\/webhooks\/payments$|^\/scim\/v2\//;

/** FastAPI's HTTPValidationError exactly: these members, in this order, and no others. */
const Exact = z.strictObject({
  detail: z
    .array(
      z.strictObject({
        type: z.string().min(1),
        loc: z.array(z.union([z.string(), z.int()])).min(1),
        msg: z.string().min(1),
        input: z.unknown(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1),
});
const order = ['type', 'loc', 'msg', 'input', 'ctx'];

function shapeFaults(answer: LightMyRequestResponse): string[] {
  if (typeOf(answer) !== 'application/json') return [`is sent as ${typeOf(answer)}`];
  const parsed = Exact.safeParse(answer.json());
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return parsed.data.detail
    .filter((entry) => Object.keys(entry).join() !== order.filter((name) => name in entry).join())
    .map(() => 'members in another order');
}

describe('every 422 of the service', () => {
  const bodies = [
    '',
    '{',
    '[]',
    '{}',
    '{"id":5,"email":"x","phone":"x","code":{},"events":[],"name":5,"ids":0,"number":[]}',
  ];
  const fills = ['x', '%00', '-1', '00000000-0000-4000-8000-000000000000', 'nobody@example'];
  const queries = [
    '',
    '?limit=x&cursor=x&site_id=&days=0&from=x&status=x&token=&identifier=x&find=x&period=x' +
      '&ip=x&email=x',
    '?limit=1&limit=x',
  ];

  /** Returns requests that are invalid in one or more parts. */
  function wrongRequests(target: Target): { url: string; payload?: string }[] {
    const { params, querystring, body } = target.route.schema ?? {};
    const last = bodies.at(-1) ?? '';
    return [
      ...(params === undefined
        ? []
        : fills.map((fill) => ({ url: target.route.url.replace(/:\w+/g, fill), payload: last }))),
      ...(querystring === undefined
        ? []
        : queries.map((query) => ({ url: `${target.url}${query}`, payload: last }))),
      ...(body === undefined ? [] : bodies.map((payload) => ({ url: target.url, payload }))),
    ];
  }

  /** Sends the request with an admin key, or as a user where keys are refused. */
  async function askWith(
    target: Target,
    { url, payload }: { url: string; payload?: string },
  ): Promise<LightMyRequestResponse> {
    const sent = {
      method: target.method,
      url,
      ...(payload === undefined || target.method === 'GET' ? {} : { payload }),
    };
    const answer = await ask({
      ...sent,
      headers: { ...asAdmin, 'content-type': 'application/json' },
    });
    if (![401, 303].includes(answer.statusCode)) return answer;
    return ask({ ...sent, headers: { ...person, 'content-type': 'application/json' } });
  }

  async function* wrongAnswers(): AsyncGenerator<{ name: string; answer: LightMyRequestResponse }> {
    const routes = app.http.registeredRoutes.filter(
      ({ schema, method }) => takesInput(schema) && method !== 'HEAD',
    );
    for (const target of targetsOf(routes, 'x')) {
      for (const wrong of wrongRequests(target))
        yield { name: nameOf(target), answer: await askWith(target, wrong) };
    }
  }

  it("has FastAPI's shape on every route", async () => {
    const faults = new Set<string>();
    const met = new Set<string>();
    for await (const { name, answer } of wrongAnswers()) {
      if (answer.statusCode >= 500 && answer.statusCode !== 503)
        faults.add(`${name} ${answer.statusCode}`);
      if (answer.statusCode !== 422) continue;
      met.add(name);
      for (const fault of shapeFaults(answer)) faults.add(`${name}: ${fault}`);
    }
    expect([...faults]).toEqual([]);
    expect(met.size).toBeGreaterThan(130);
  }, 120_000);

  it("has FastAPI's shape for a rule beyond the schema; the error code is the type", async () => {
    const answer = await ask({
      method: 'POST',
      url: '/status/subscribe',
      payload: { email: 'no address' },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        detail: [
          {
            type: 'status.address_invalid',
            loc: ['body', 'email'],
            msg: expect.stringContaining('name@example.com') as string,
            input: null,
          },
        ],
      },
    ]);
  });

  it("has FastAPI's shape for a program that posts a form; a browser gets the page", async () => {
    const form = {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
    } as const;
    for (const [url, payload] of [
      ['/demo/deliverability/', 'zip=9410&country=US'],
      ['/login', 'identifier=nobody'],
      ['/signup', 'email=nobody'],
      ['/status/subscribe', 'email=nobody'],
    ] as const) {
      const [program, browser] = [
        await ask({ ...form, url, payload }),
        await ask({ ...form, url, payload, headers: { ...form.headers, accept: 'text/html' } }),
      ];
      expect([url, program.statusCode, shapeFaults(program)]).toEqual([url, 422, []]);
      expect([url, browser.statusCode, typeOf(browser)]).toEqual([url, 422, 'text/html']);
    }
  });

  it('is documented only as that shape, or as a page', async () => {
    const document = (await ask({ url: '/api/openapi.json' })).json<OpenApiDocument>();
    const resolved = (response: Response): Response =>
      response.$ref === undefined
        ? response
        : (document.components.responses?.[response.$ref.split('/').at(-1) ?? ''] ?? response);
    const forms = operationsOf(document).flatMap(({ operationId = '', responses }) => {
      const declared = responses['422'];
      if (declared === undefined || operationId.startsWith('graphql.')) return [];
      return Object.entries(resolved(declared).content ?? {}).map(
        ([type, { schema }]) => `${type} ${(schema as { $ref?: string }).$ref ?? 'page'}`,
      );
    });
    expect([...new Set(forms)].sort()).toEqual([
      'application/json #/components/schemas/HTTPValidationError',
      'text/html page',
    ]);
  });

  it('is given for a missing body exactly where the document requires one', async () => {
    const document = (await ask({ url: '/api/openapi.json' })).json<OpenApiDocument>();
    const required = new Map(
      operationsOf(document).map(({ operationId, requestBody }) => [
        operationId,
        requestBody?.required === true,
      ]),
    );
    const faults: string[] = [];
    const routes = app.http.registeredRoutes.filter(
      ({ schema }) => schema?.body !== undefined && schema.hide !== true,
    );
    for (const target of targetsOf(routes, '00000000-0000-4000-8000-000000000000')) {
      if (ownRules.test(target.route.url)) continue;
      const answer = await askWith(target, { url: target.url });
      // An unauthorized caller is not told what is missing.
      if ([401, 403].includes(answer.statusCode)) continue;
      const missesBody =
        answer.statusCode === 422 &&
        answer.json<z.output<typeof Exact>>().detail.some(({ loc }) => loc[0] === 'body');
      if (missesBody !== (required.get(target.route.schema?.operationId) ?? false))
        faults.push(`${nameOf(target)}: ${answer.statusCode}, ${missesBody ? '' : 'not '}refused`);
    }
    expect(faults).toEqual([]);
  }, 30_000);

  it('is written in one module only', () => {
    const writers = sourceFiles()
      .filter(({ text }) => /\bcode\(\s*422\b|statusCode = 422/.test(codeOf(text)))
      .map(({ path }) => path);
    expect(writers).toEqual(['platform/ui/page-scope.ts']);
  });
});

describe('a body of a content type that a route does not read', () => {
  const types = [
    'text/plain',
    'text/csv',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'nonsense',
    '',
    ';',
    undefined,
  ];
  const readsForms = ({ route: { url } }: Target) =>
    /^\/(?:login|signin|signup|account|status|share|demo|waitlist|contact|q)\b/.test(url) ||
    url === '/api/v1/contact' ||
    /\/setup\/|\/svc\/console|\/reports\/unsubscribe/.test(url);
  const reads = (target: Target, type: string | undefined) =>
    (type === 'application/x-www-form-urlencoded' && readsForms(target)) ||
    (type === 'text/plain' && /^\/analytics\/(?:track|batch)/.test(target.route.url)) ||
    (type === 'text/csv' && /\/(?:import|qr-batches)$/.test(target.route.url));

  const withBody = (): Target[] =>
    targetsOf(app.http.registeredRoutes, '00000000-0000-4000-8000-000000000000').filter(
      ({ method, route }) =>
        ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) && !ownRules.test(route.url),
    );
  const send = (
    { method, url }: Target,
    type: string | undefined,
    credential: Record<string, string>,
  ) =>
    ask({
      method,
      url,
      payload: 'a=1',
      headers: { ...credential, ...(type === undefined ? {} : { 'content-type': type }) },
    });

  it('is refused with 415 on every route with a body, once the caller is authorized', async () => {
    const faults = new Set<string>();
    let refused = 0;
    for (const target of withBody().filter(({ route }) => route.schema?.body !== undefined)) {
      for (const type of types) {
        if (reads(target, type)) continue;
        for (const credential of [asAdmin, person]) {
          const answer = await send(target, type, credential);
          // Pages redirect an unauthorized visitor, for example to the sign-in.
          if ([401, 403, 303].includes(answer.statusCode)) continue;
          refused += 1;
          const isPage = typeOf(answer) === 'text/html';
          const code = isPage
            ? 'request.unsupported_media_type'
            : answer.json<{ code?: string }>().code;
          if (answer.statusCode !== 415 || code !== 'request.unsupported_media_type')
            faults.add(
              `${nameOf(target)} ${type ?? 'no type'}: ${answer.statusCode} ${code ?? ''}`,
            );
        }
      }
    }
    expect([...faults]).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  }, 120_000);

  it('is ignored by a route that takes no body: the status is that without one', async () => {
    const faults = new Set<string>();
    for (const target of withBody().filter(({ route }) => route.schema?.body === undefined)) {
      const without = (await ask({ method: target.method, url: target.url, headers: asAdmin }))
        .statusCode;
      for (const type of types) {
        const { statusCode } = await send(target, type, asAdmin);
        if (statusCode !== without)
          faults.add(
            `${nameOf(target)} ${type ?? 'no type'}: ${statusCode}, without a body ${without}`,
          );
      }
    }
    expect([...faults]).toEqual([]);
  }, 60_000);

  it('is refused with 415 by GraphQL, in its own error format, and by MCP', async () => {
    const graph = await ask({
      method: 'POST',
      url: '/api/graphql/',
      payload: 'a=1',
      headers: { 'content-type': 'text/plain' },
    });
    expect([graph.statusCode, graph.json()]).toMatchObject([
      415,
      { errors: [{ extensions: { code: 'graphql.content_type' } }] },
    ]);
    const mcp = await ask({
      method: 'POST',
      url: '/api/v2/mcp/',
      payload: 'a=1',
      headers: { ...asAdmin, 'content-type': 'text/plain' },
    });
    expect(mcp.statusCode).toBe(415);
  });
});
