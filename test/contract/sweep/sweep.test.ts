import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument, Response } from '../../../src/platform/openapi/document.ts';
import { operationsOf } from '../../../src/platform/openapi/document.ts';
import { routeTable } from '../../../src/platform/http/scopes.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { errorsIn } from '../../support/log.ts';
import { rounds } from '../../support/rounds.ts';
import { answered, later } from '../route-list.ts';
import { codeOf, sourceFiles } from '../source-files.ts';
import { createCallers } from './callers.ts';
import { checkIgnoredBodies, checkUnreadTypes } from './content-types.ts';
import { checkHeadersOfStatus, checkSizeOfRefusals, sendBrokenBodies } from './hostile.ts';
import { checkMissingBody, checkShapeOf422, shapeFaults } from './invalid-input.ts';
import {
  asBrowser,
  badForms,
  checkBadForm,
  checkVaryOfForms,
  checkVaryOfGets,
  checkWrongMethods,
} from './negotiation.ts';
import { checkRepeatedParameters, checkUnknownFilters, unknownMember } from './parameters.ts';
import { checkAnswered, checkNoRedirects, checkRouteTable } from './promised-routes.ts';
import { unknownId } from './routes.ts';
import { compareHead, compareSlash, compareSlashOfOptions, visitPaths } from './slash-and-head.ts';
import { createSweep, type Findings, type Request } from './sweep.ts';
import { invalidBody } from '../../support/invalid.ts';

// A fixed clock, so that no two answers differ by their time.
const now = Date.UTC(2026, 10, 22, 15);
/** For a check of all routes. */
const patience = 240_000;

// The longest deadline: a busy machine may be too slow for the usual one.
const env = { QUERY_TIMEOUT_SECONDS: '100' };
const app = await freshApp({ env, clock: { now: () => now } });
const sweep = createSweep(app);
const callers = createCallers(sweep, now);

const json = (request: Request): Promise<unknown> =>
  sweep.ask(request).then(({ body }) => JSON.parse(body) as unknown);
const apiReference = async (): Promise<OpenApiDocument> =>
  (await json({ url: '/api/openapi.json' })) as OpenApiDocument;

/** Expects no faults among more than `least` answers. */
function expectNoFaults({ faults, checked }: Findings, least: number): void {
  expect(faults).toEqual([]);
  expect(checked).toBeGreaterThan(least);
}

describe('every path that answers GET', () => {
  let visits: Awaited<ReturnType<typeof visitPaths>>;
  beforeAll(async () => {
    visits = await visitPaths(sweep);
  }, patience);

  it('gives the same status, headers and body with and without a slash at the end', () =>
    expectNoFaults(compareSlash(visits), 400));

  it('answers HEAD as GET, without a body, or 405 where GET has an effect', () =>
    expectNoFaults(compareHead(visits), 400));

  it('answers OPTIONS the same with and without a slash at the end', () =>
    expectNoFaults(compareSlashOfOptions(visits), 400));
});

describe('an answer whose form depends on a request header', () => {
  it(
    'names that header in Vary, in each of its forms, on every GET route',
    async () => expectNoFaults(await checkVaryOfGets(sweep), 250),
    patience,
  );

  it(
    'names that header in Vary for every POST of a form',
    async () => expectNoFaults(await checkVaryOfForms(sweep), 200),
    patience,
  );
});

describe('a browser request that no route accepts', () => {
  it(
    'gets a 405 page with Allow where a program gets a problem document',
    async () => expectNoFaults(await checkWrongMethods(sweep), rounds(150, 300)),
    patience,
  );

  it.each([
    ['GET', '/api/auth/logout', 405],
    ['POST', '/privacy', 405],
    ['GET', '/nowhere', 404],
    ['POST', '/nowhere', 404],
  ] as const)(
    "gets the site's layout and a link to the start page, not framed, not cached: %s %s",
    async (method, url, status) => {
      const answer = await sweep.ask({ method, url, headers: asBrowser });
      expect(answer).toMatchObject({
        status,
        type: 'text/html',
        headers: {
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
          'cache-control': 'no-store',
        },
      });
      expect(answer.body).toContain('<a class="brand" href="/">');
      expect(answer.body).toMatch(/<a [^>]*href="\/"[^>]*>(?:Go to the home page|Home)<\/a>/);
    },
  );
});

describe('a browser that meets an error on a page', () => {
  it.each(badForms)('gets a page for %s: %i', async (_what, status, sent) =>
    expectNoFaults(await checkBadForm(sweep, status, sent), 3),
  );
});

describe('every 422 of the service', () => {
  it(
    "has FastAPI's shape on every route",
    async () => expectNoFaults(await checkShapeOf422(sweep, callers), 130),
    patience,
  );

  it("has FastAPI's shape for a rule beyond the schema; the error code is the type", async () => {
    const { statusCode, json: parsed } = await sweep.app.http.inject({
      method: 'POST',
      url: '/status/subscribe',
      payload: { email: 'no address' },
    });
    expect(statusCode).toBe(422);
    const entry = {
      type: 'status.address_invalid',
      loc: ['body', 'email'],
      msg: expect.stringContaining('name@example.com') as string,
      input: null,
    };
    expect(parsed()).toEqual(invalidBody([entry], entry.type));
  });

  it.each([
    ['/demo/deliverability/', 'zip=9410&country=US'],
    ['/login', 'identifier=nobody'],
    ['/signup', 'email=nobody'],
    ['/status/subscribe', 'email=nobody'],
  ])(
    "has FastAPI's shape for a program that posts a form to %s; a browser gets the page",
    async (url, payload) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      };
      const request = { method: 'POST', url, payload } as const;
      const program = await sweep.ask({ ...request, headers });
      expect(program.status).toBe(422);
      expect(shapeFaults(program)).toEqual([]);
      const browser = await sweep.ask({ ...request, headers: { ...headers, accept: 'text/html' } });
      expect(browser).toMatchObject({ status: 422, type: 'text/html' });
    },
  );

  it('is documented only as that shape, or as a page', async () => {
    const document = await apiReference();
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

  it(
    'is given for a missing body exactly where the document requires one',
    async () => expectNoFaults(await checkMissingBody(sweep, callers, await apiReference()), 100),
    patience,
  );

  it('is written in one module only', () => {
    const writers = sourceFiles()
      .filter(({ text }) => /\bcode\(\s*422\b|statusCode = 422/.test(codeOf(text)))
      .map(({ path }) => path);
    expect(writers).toEqual(['platform/ui/page-scope.ts']);
  });
});

describe('a query parameter', () => {
  it(
    'that has a single value is refused by every route when it is given twice',
    async () => expectNoFaults(await checkRepeatedParameters(sweep), 40),
    patience,
  );

  it('that is an unknown filter is refused by every list that takes a cursor', async () =>
    expectNoFaults(await checkUnknownFilters(sweep), 12));

  it.each([
    '/analytics/dashboard?site_id=a',
    '/analytics/goals?site_id=a',
    '/analytics/retention?site_id=a',
    `/analytics/funnels/${unknownId}?`,
  ])('that is unknown is refused by GET %s', async (url) => {
    const { status, body } = await sweep.ask({ url: `${url}&colour=red`, headers: asAdmin });
    expect(status).toBe(422);
    expect(JSON.parse(body)).toEqual(invalidBody([unknownMember('query', 'colour')]));
  });
});

describe('a body of a content type that a route does not read', () => {
  it(
    'is refused with 415 on every route with a body, once the caller is authorized',
    async () => expectNoFaults(await checkUnreadTypes(sweep, callers), rounds(150, 500)),
    patience,
  );

  it(
    'is ignored by a route that takes no body: the status is that without one',
    async () => expectNoFaults(await checkIgnoredBodies(sweep), 100),
    patience,
  );

  it('is refused with 415 by GraphQL, in its own error format, and by MCP', async () => {
    const text = { method: 'POST', payload: 'a=1' } as const;
    const headers = { 'content-type': 'text/plain' };
    const graph = await sweep.ask({ ...text, url: '/api/graphql/', headers });
    expect(graph.status).toBe(415);
    expect(JSON.parse(graph.body)).toMatchObject({
      errors: [{ extensions: { code: 'graphql.content_type' } }],
    });
    const mcp = await sweep.ask({
      ...text,
      url: '/api/v2/mcp/',
      headers: { ...asAdmin, ...headers },
    });
    expect(mcp.status).toBe(415);
  });
});

describe('an export of events', () => {
  it('refuses an unknown member', async () => {
    const { status, body } = await sweep.ask({
      method: 'POST',
      url: '/analytics/export/events',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      payload: '{"colour":"red"}',
    });
    expect(status).toBe(422);
    expect(JSON.parse(body)).toEqual(invalidBody([unknownMember('body', 'colour')]));
  });
});

describe('a hostile request without a credential', () => {
  it(
    'is never answered with more than 24,000 characters',
    async () => expectNoFaults(await checkSizeOfRefusals(sweep), 300),
    patience,
  );
});

describe('the interface', () => {
  it(
    'answers every promised route, with and without a slash at the end',
    async () => expectNoFaults(await checkAnswered(sweep, answered, true), 100),
    patience,
  );

  it(
    'never redirects from a path to the one with another end',
    async () => expectNoFaults(await checkNoRedirects(sweep, answered), 50),
    patience,
  );

  it('does not answer a route of `later` (once it does, move it to `answered`)', async () =>
    expectNoFaults(await checkAnswered(sweep, later, false), -1));

  it('is listed without duplicates', () => {
    const names = [...answered, ...later].map((promised) => promised.join(' '));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has a unique operation id, a tag and a scope for every route of the reference', () =>
    expectNoFaults(checkRouteTable(sweep), 400));

  it('has each route in the scope that guards it', () => {
    const scopes = routeTable(sweep.app.http).map(({ operationId, scope }) => [operationId, scope]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      'analytics.track_event': 'public',
      'analytics.track_batch': 'public',
      'analytics.track_pixel': 'public',
      'analytics.get_dashboard': 'analytics:read, approved device',
      'analytics.export_events': 'analytics:read, approved device',
      'analytics.list_sites': 'analytics:read, approved device',
      'analytics.get_site': 'analytics:read, approved device',
      'analytics.list_annotations': 'analytics:read, approved device',
      'analytics.get_retention': 'analytics:read, approved device',
      'analytics.create_site': 'admin, approved device',
      'analytics.update_site': 'admin, approved device',
      'analytics.create_annotation': 'admin, approved device',
      'analytics.update_annotation': 'admin, approved device',
      'analytics.delete_annotation': 'admin, approved device',
      'apiKeys.list': 'admin, approved device',
      'apiKeys.create': 'admin, approved device',
      'apiKeys.get': 'admin, approved device',
      'apiKeys.revoke': 'admin, approved device',
      'audit.list': 'admin, approved device',
      'blackops.status': 'public',
      'blackops.list_devices': 'signed-in',
      'blackops.approve_request': 'admin, approved device',
      'blackops.dashboard': 'admin, approved device',
    });
  });
});

// What holds for every answer is checked after all others.
describe('an invalid request', () => {
  it(
    'logs no error, on any route',
    async () => {
      expect(await sendBrokenBodies(sweep)).toBeGreaterThan(300);
      expect(errorsIn(sweep.app.log())).toEqual([]);
    },
    patience,
  );
});

describe('every answer', () => {
  it('has the headers that its status requires', async () =>
    expectNoFaults(await checkHeadersOfStatus(sweep), rounds(5000, 10_000)));
});
