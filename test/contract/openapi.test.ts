import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { describe, expect, vi } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  type JsonSchema,
  type OpenApiDocument,
  operationsOf,
  type Response,
} from '../../src/platform/openapi/document.ts';
import { registerApiReference } from '../../src/platform/openapi/openapi.ts';
import { limit } from '../../src/platform/http/limits/rate-limit.ts';
import { refusing, scope } from '../../src/platform/http/scopes.ts';
import { createTestHttp } from '../support/http.ts';
import { lintOpenApi } from '../support/openapi.ts';

interface Document extends OpenApiDocument {
  openapi: string;
  info: { version: string };
}

async function createApp(): Promise<FastifyInstance> {
  const { app } = createTestHttp();
  await registerApiReference(app, {});
  app.describeTag('things', 'Things.');
  const Thing = z.object({ id: z.string(), made_at: z.iso.datetime() }).meta({ id: 'TestThing' });
  const NewThing = z
    .object({
      name: z
        .string()
        .min(1)
        .max(100)
        .meta({ examples: ['Hammer'] }),
      size: z.int().default(1),
    })
    .meta({ id: 'TestNewThing' });
  scope(
    app,
    'admin',
    refusing({ errors: ['request.forbidden'] }, () => undefined),
    (routes) => {
      routes.post(
        '/things/:place',
        {
          config: { rateLimit: limit({ max: 5, seconds: 60 }) },
          schema: {
            operationId: 'things.create',
            summary: 'Make a thing',
            tags: ['things'],
            params: z.object({ place: z.string().meta({ examples: ['Kyiv'] }) }),
            errors: ['request.not_found'],
            querystring: z.object({
              limit: z.int().min(1).max(100).default(20),
              deep: z.boolean().optional(),
            }),
            body: NewThing,
            response: { 201: Thing },
          },
        },
        (_request, reply) => reply.code(201).send({ id: 'a', made_at: '2026-01-01T00:00:00Z' }),
      );
    },
  );
  scope(app, 'public', undefined, (routes) => {
    routes.get(
      '/things',
      {
        schema: {
          operationId: 'things.list',
          summary: 'List things',
          tags: ['things'],
          response: { 200: z.array(Thing) },
        },
      },
      () => [],
    );
    routes.get('/hidden', { schema: { hide: true } }, () => ({}));
  });
  await app.ready();
  return app;
}

async function readDocument(app: FastifyInstance): Promise<Document> {
  const answer = await app.inject('/api/openapi.json');
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  return answer.json<Document>();
}

describe('the OpenAPI document', () => {
  it('is 3.1, with the operations that are not hidden', async () => {
    const document = await readDocument(await createApp());
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('0.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/api/openapi.client.json',
      '/api/openapi.json',
      '/api/openapi.yaml',
      '/things',
      '/things/{place}',
    ]);
  });

  it('documents 422 where a route takes input, and problem documents elsewhere', async () => {
    const { paths } = await readDocument(await createApp());
    const create = paths['/things/{place}']?.post;
    expect(Object.keys(create?.responses ?? {})).toEqual([
      '201',
      '400',
      '403',
      '404',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(create?.responses['422']?.content).toMatchObject({
      'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } },
    });
    expect(create?.responses['404']?.content).toMatchObject({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
    expect(Object.keys(paths['/things']?.get?.responses ?? {})).toEqual([
      '200',
      '400',
      '500',
      '503',
    ]);
  });

  it('lists the error codes of the operation, its scopes and its rate limit', async () => {
    const { paths, components } = await readDocument(await createApp());
    const { responses = {} } = paths['/things/{place}']?.post ?? {};
    const codes = (status: number) =>
      Object.keys(Object.values(responses[status]?.content ?? {})[0]?.examples ?? {});
    expect({ first: codes(404), second: codes(403), third: codes(429) }).toEqual({
      first: ['request.not_found'],
      second: ['request.forbidden'],
      third: ['request.rate_limited'],
    });
    expect(Object.keys(responses[429]?.headers ?? {})).toEqual([
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
    ]);
    expect(paths['/things']?.get?.responses[503]).toEqual({
      $ref: '#/components/responses/ServiceUnavailable',
    });
    expect(components.responses?.ServiceUnavailable?.content).toMatchObject({
      'application/problem+json': {
        examples: {
          'request.unavailable': { value: { status: 503, code: 'request.unavailable' } },
        },
      },
    });
    expect(paths['/things/{place}']?.post?.['x-rate-limit']).toEqual({ max: 5, seconds: 60 });
  });

  it('shows declared examples, and derives others from formats, defaults and types', async () => {
    const { paths } = await readDocument(await createApp());
    const create = paths['/things/{place}']?.post;
    expect(create?.requestBody?.content).toMatchObject({
      'application/json': { example: { name: 'Hammer' } },
    });
    expect(create?.responses[201]?.content).toMatchObject({
      'application/json': {
        example: { id: expect.any(String) as string, made_at: '2026-05-04T09:30:00.000Z' },
      },
    });
    expect(
      Object.fromEntries((create?.parameters ?? []).map(({ name, example }) => [name, example])),
    ).toEqual({ place: 'Kyiv', limit: 20, deep: true });
  });

  it('is built once, when it is first requested, and does not delay the start', async () => {
    const { app } = createTestHttp();
    await registerApiReference(app, {});
    const made = vi.spyOn(app, 'swagger');
    await app.ready();
    expect(made).not.toHaveBeenCalled();
    await Promise.all(['json', 'yaml'].map((type) => app.inject(`/api/openapi.${type}`)));
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('is available as YAML too, and answers 304 to a matching If-None-Match', async () => {
    const app = await createApp();
    const yaml = await app.inject('/api/openapi.yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml.body)).toEqual(await readDocument(app));
    expect(yaml.body).not.toMatch(/: [&*]a\d+\n/);
    for (const url of ['/api/openapi.json', '/api/openapi.yaml']) {
      const {
        headers: { etag = '' },
      } = await app.inject(url);
      expect((await app.inject({ url, headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    }
  });

  it.each(['json', 'yaml'])(
    'is the same at the address that Swagger UI has for %s, and written once',
    async (form) => {
      const app = await createApp();
      const { body, headers } = await app.inject(`/api/openapi.${form}`);
      const written = vi.spyOn(app, 'swagger');
      for (const url of [`/api/docs/${form}`, `/api/docs/${form}/`]) {
        const own = await app.inject(url);
        expect(own.statusCode).toBe(200);
        expect(own.body === body).toBe(true);
        expect(own.headers).toMatchObject({
          etag: headers.etag,
          'content-type': headers['content-type'],
          'content-security-policy': headers['content-security-policy'],
        });
      }
      expect(written).not.toHaveBeenCalled();
    },
  );

  it('lists each shared schema once, and no unused one', async () => {
    const document = await readDocument(await createApp());
    expect(Object.keys(document.components.schemas)).toEqual([
      'HTTPValidationError',
      'Problem',
      'TestNewThing',
      'TestThing',
      'ValidationError',
    ]);
    expect(document.components.schemas.ValidationError).toMatchObject({
      required: ['type', 'loc', 'msg'],
    });
    expect(JSON.stringify(document)).not.toContain('Input"');
  });

  it('says which operations need a credential, and which kinds they accept', async () => {
    const { paths } = await readDocument(await createApp());
    expect(paths['/things/{place}']?.post?.security).toEqual([
      { bearerAuth: [] },
      { dpopAuth: [] },
      { sessionCookie: [] },
    ]);
    expect(paths['/things']?.get?.security).toEqual([]);
  });

  it('passes the recommended rules of Redocly', async () => {
    expect(await lintOpenApi(await readDocument(await createApp()))).toEqual([]);
  }, 60_000);
});

describe('the interactive reference', () => {
  it.each(['/api/docs', '/api/docs/'])(
    '%s loads scripts from its own origin only, without inline scripts',
    async (url) => {
      const answer = await (await createApp()).inject(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^text\/html/);
      const scripts = /script-src ([^;]*)/.exec(
        String(answer.headers['content-security-policy']),
      )?.[1];
      expect(scripts).toBe("'self'");
      expect(answer.body).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|https?:\/\//);
    },
  );

  it('serves large files compressed, for a year where the address has their digest', async () => {
    const app = await createApp();
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
      const url = `/api/docs/static/${file}`;
      const { headers, rawPayload } = await app.inject({
        url,
        headers: { 'accept-encoding': 'gzip' },
      });
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=300',
      });
      expect(headers.vary).toMatch(/accept-encoding/);
      const plain = await app.inject(url);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
      expect(gunzipSync(rawPayload).equals(plain.rawPayload)).toBe(true);
      const digest = createHash('sha256').update(plain.rawPayload).digest('base64url').slice(0, 12);
      const versioned = await app.inject(`${url}?v=${digest}`);
      expect(versioned.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('serves its files, and a problem document for a missing one', async () => {
    const app = await createApp();
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-initializer.js']) {
      expect((await app.inject(`/api/docs/static/${file}`)).statusCode).toBe(200);
    }
    const missing = await app.inject('/api/docs/static/nothing.js');
    expect({ status: missing.statusCode, 'content-type': missing.headers['content-type'] }).toEqual(
      { status: 404, 'content-type': 'application/problem+json; charset=utf-8' },
    );
  });
});

describe('the OpenAPI document of the whole service', async () => {
  const app = await sharedApp();
  const document = (await app.http.inject('/api/openapi.json')).json<OpenApiDocument>();

  const isUndescribed = ({ $ref, description }: Response): boolean =>
    $ref === undefined && ['', 'Default Response'].includes(description);

  it('says of every response what is returned', () => {
    const found = operationsOf(document).flatMap(({ operationId = '', responses }) =>
      Object.entries(responses)
        .filter(([, response]) => isUndescribed(response))
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(found).toEqual([]);
  });

  function membersOf({ $ref, anyOf = [], properties = {} }: JsonSchema): string[] {
    const named = document.components.schemas[$ref?.split('/').at(-1) ?? ''];
    return [...(named === undefined ? [] : [named]), ...anyOf]
      .flatMap(membersOf)
      .concat(Object.keys(properties));
  }

  it('leaves answers open for new members, and says that requests are not', () => {
    const closed = '"additionalProperties":false';
    const answers = operationsOf(document).map(({ responses }) => responses);
    expect(JSON.stringify([answers, document.components.responses])).not.toContain(closed);
    expect(JSON.stringify(document.components.schemas.User)).not.toContain(closed);
    const requests = operationsOf(document).map(({ requestBody }) => requestBody);
    expect(JSON.stringify([requests, document.components.schemas])).toContain(closed);
  });

  it('has patterns without look-around, which engines of generated clients lack', () => {
    expect(JSON.stringify(document).match(/"pattern":"[^"]*\(\?[=!<][^"]*"/g)).toBeNull();
  });

  it('shows a member in the example of every request body that has members', () => {
    const found = operationsOf(document).flatMap(({ operationId = '', requestBody }) =>
      Object.entries(requestBody?.content ?? {})
        .filter(([, { schema = {} }]) => membersOf(schema).length > 0)
        .filter(([, { example }]) => Object.keys(example ?? {}).length === 0)
        .map(([type]) => `${operationId} ${type}`),
    );
    expect(found).toEqual([]);
  });
});
