import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { registerApiReference } from '../../src/platform/openapi.ts';
import { scope } from '../../src/platform/scopes.ts';
import { createTestHttp } from '../support/http.ts';
import { lintOpenApi } from '../support/openapi.ts';

interface Operation { operationId?: string; summary?: string; tags?: string[]; security?: object[]; responses: Record<string, { content?: object }> }
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

async function createApp(): Promise<FastifyInstance> {
  const { app } = createTestHttp();
  await registerApiReference(app, { tags: [{ name: 'things', description: 'Things.' }] });
  const Thing = z.object({ id: z.string(), made_at: z.iso.datetime() }).meta({ id: 'TestThing' });
  const NewThing = z.object({ name: z.string().min(1).max(100), size: z.int().default(1) }).meta({ id: 'TestNewThing' });
  scope(app, 'admin', () => undefined, (routes) => {
    routes.post('/things/:place', {
      schema: {
        operationId: 'things.create',
        summary: 'Make a thing',
        tags: ['things'],
        params: z.object({ place: z.string() }),
        querystring: z.object({ limit: z.int().min(1).max(100).default(20), deep: z.boolean().optional() }),
        body: NewThing,
        response: { 201: Thing },
      },
    }, (_request, reply) => reply.code(201).send({ id: 'a', made_at: '2026-01-01T00:00:00Z' }));
  });
  scope(app, 'public', undefined, (routes) => {
    routes.get('/things', {
      schema: { operationId: 'things.list', summary: 'List things', tags: ['things'], response: { 200: z.array(Thing) } },
    }, () => []);
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
  test('is 3.1, with the operations that are not hidden', async () => {
    const document = await readDocument(await createApp());
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('0.1.0');
    expect(Object.keys(document.paths).sort()).toEqual(['/api/openapi.json', '/things', '/things/{place}']);
  });

  test('documents 422 where a route takes input, and problems everywhere', async () => {
    const { paths } = await readDocument(await createApp());
    const create = paths['/things/{place}']?.post;
    expect(Object.keys(create?.responses ?? {}).sort()).toEqual(['201', '422', '4XX', '5XX']);
    expect(create?.responses['422']?.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } });
    expect(create?.responses['4XX']?.content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } });
    expect(Object.keys(paths['/things']?.get?.responses ?? {}).sort()).toEqual(['200', '4XX', '5XX']);
  });

  test('names shared schemas once, and none that is unused', async () => {
    const document = await readDocument(await createApp());
    expect(Object.keys(document.components.schemas)).toEqual(['HTTPValidationError', 'Problem', 'TestNewThing', 'TestThing', 'ValidationError']);
    expect(document.components.schemas.ValidationError).toMatchObject({ required: ['type', 'loc', 'msg'] });
    expect(JSON.stringify(document)).not.toContain('Input"');
  });

  test('says which operations need to know who asks, and by what they may tell', async () => {
    const { paths } = await readDocument(await createApp());
    expect(paths['/things/{place}']?.post?.security).toEqual([{ bearerAuth: [] }, { dpopAuth: [] }, { sessionCookie: [] }]);
    expect(paths['/things']?.get?.security).toEqual([]);
  });

  test('passes the recommended rules of Redocly', async () => {
    expect(await lintOpenApi(await readDocument(await createApp()))).toEqual([]);
  }, 60_000);
});

describe('the interactive reference', () => {
  test.each(['/api/docs', '/api/docs/'])('%s is a page of this origin alone, without inline scripts', async (url) => {
    const answer = await (await createApp()).inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    const scripts = /script-src ([^;]*)/.exec(String(answer.headers['content-security-policy']))?.[1];
    expect(scripts).toBe("'self'");
    expect(answer.body).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|https?:\/\//);
  });

  test('serves its files', async () => {
    const app = await createApp();
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-initializer.js']) {
      expect((await app.inject(`/api/docs/static/${file}`)).statusCode).toBe(200);
    }
    const missing = await app.inject('/api/docs/static/nothing.js');
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});
