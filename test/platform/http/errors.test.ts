import type { FastifySchema } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toProblem } from '../../../src/platform/http/error-handler.ts';
import { AppError, requestErrors } from '../../../src/platform/errors/errors.ts';
import { RequestValidationError } from '../../../src/platform/validation/validation-error.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

async function answerOf(thrown: unknown) {
  const http = createTestHttp();
  const app = await withPublicRoutes(http, (routes) => {
    routes.get('/fails', { schema: { operationId: 'test.fails' } }, () => {
      throw thrown;
    });
    routes.get('/rejects', () => Promise.reject(thrown as Error));
  });
  const answer = await app.inject('/fails');
  const rejected = await app.inject('/rejects');
  expect(rejected.statusCode).toBe(answer.statusCode);
  return { answer, log: http.text() };
}

const failure = (message: string, members: object): Error =>
  Object.assign(new Error(message), members);

describe('500', () => {
  test.each([
    ['an Error', new Error('the secret reason')],
    ['a string', 'the secret reason'],
    ['null', null],
    ['undefined', undefined],
    ['an object', { message: 'the secret reason', statusCode: 418 }],
    ['an error with a strange status', failure('the secret reason', { statusCode: 200 })],
    [
      'an error of a store that is not about reaching it',
      failure('the secret reason', { code: '23505', detail: 'Key (email)=(ada@example.com)' }),
    ],
  ])('is all that a client sees of %s', async (_name, thrown) => {
    const { answer, log } = await answerOf(thrown);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toEqual({
      type: '/developer/errors#internal',
      title: 'Internal Server Error',
      status: 500,
      detail:
        'Something went wrong on our side. The error was logged under the request id. ' +
        'Try again later.',
      code: 'internal',
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.body).not.toContain('secret reason');
    expect(log).toContain('"level":"error"');
    expect(log).not.toContain('ada@example.com');
  });

  test('logs the reason once, with the operation and the request id', async () => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      routes.get('/fails', { schema: { operationId: 'test.fails' } }, () => {
        throw new Error('the secret reason', { cause: new TypeError('below it') });
      });
    });
    const answer = await app.inject('/fails?token=abc');
    const failures = http.lines().filter((line) => line.msg === 'request failed');
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({
      level: 'error',
      operationId: 'test.fails',
      request_id: answer.headers['x-request-id'],
      err: { type: 'Error', message: 'the secret reason', cause: { type: 'TypeError' } },
    });
    expect(http.text()).not.toContain('abc');
  });
});

describe('an AppError', () => {
  test('sends its status, code, text, headers and members, but not its cause', async () => {
    const thrown = new AppError(409, 'users.taken', 'That address is taken.', {
      headers: { 'x-hint': 'a' },
      extra: { field: 'email' },
      cause: new Error('the secret reason'),
    });
    const { answer } = await answerOf(thrown);
    expect(answer.statusCode).toBe(409);
    expect(answer.headers['x-hint']).toBe('a');
    expect(answer.json()).toMatchObject({
      status: 409,
      title: 'Conflict',
      code: 'users.taken',
      detail: 'That address is taken.',
      field: 'email',
    });
    expect(answer.body).not.toContain('secret reason');
  });

  test('cannot replace standard members by extra ones', () => {
    const thrown = new AppError(400, 'a.b', 'text', { extra: { status: 200, code: 'x' } });
    expect(toProblem(thrown, 'id').problem).toMatchObject({ status: 400, code: 'a.b' });
  });

  test.each([
    [401, requestErrors.unauthenticated(), { 'www-authenticate': 'Bearer realm="svc"' }],
    [429, requestErrors.rate_limited({ headers: { 'retry-after': '7' } }), { 'retry-after': '7' }],
    [429, requestErrors.rate_limited(), { 'retry-after': '60' }],
    [503, requestErrors.unavailable(), { 'retry-after': '5' }],
  ])('of %i has the header that the status requires', async (status, thrown, headers) => {
    expect((await answerOf(thrown)).answer).toMatchObject({ statusCode: status, headers });
  });
});

describe('503', () => {
  test.each([
    [
      'a refused connection',
      failure('connect 127.0.0.1:6379', { code: 'ECONNREFUSED', syscall: 'connect' }),
    ],
    ['a missing socket file', failure('connect /x.sock', { code: 'ENOENT', syscall: 'connect' })],
    ['ioredis out of retries', failure('Reached the max', { name: 'MaxRetriesPerRequestError' })],
    ['ioredis closed', new Error('Connection is closed.')],
    [
      'ioredis offline',
      new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    ],
    ['ioredis timing out', new Error('Command timed out')],
    ['Redis loading', new Error('LOADING Redis is loading the dataset in memory')],
    ['pg losing its server', new Error('Connection terminated unexpectedly')],
    ['PostgreSQL shutting down', failure('terminating connection', { code: '57P01' })],
  ])('with retry-after is the answer to %s', async (_name, thrown) => {
    const { answer } = await answerOf(thrown);
    expect(answer).toBeProblem(503, 'request.unavailable');
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).not.toContain(thrown.message);
  });

  test('is not the answer to a missing file of the service', async () => {
    const thrown = failure('ENOENT: no such file', { code: 'ENOENT', syscall: 'open' });
    expect((await answerOf(thrown)).answer.statusCode).toBe(500);
  });
});

describe('undeclared answers', () => {
  const withResponse = async (
    status: number,
    payload: unknown,
    response: object = { 200: z.object({ ok: z.boolean() }) },
  ) => {
    const http = createTestHttp();
    const app = await withPublicRoutes(http, (routes) => {
      routes.get('/', { schema: { operationId: 'test.answer', response } }, (_request, reply) =>
        reply.code(status).send(payload),
      );
    });
    return { answer: await app.inject('/'), log: http.text() };
  };

  test('lose members that are not in their schema', async () => {
    const { answer } = await withResponse(200, { ok: true, secret: 's3cret' });
    expect(answer.json()).toEqual({ ok: true });
  });

  test.each([201, 204, 409, 418, 500])('with status %i leak nothing', async (status) => {
    const { answer } = await withResponse(status, { secret: 's3cret' });
    expect(answer.body).not.toContain('s3cret');
  });

  test.each([
    [200, { ok: 's3cret' }],
    [201, { ok: true, note: 's3cret' }],
    [418, { note: 's3cret' }],
  ])('that violate their schema (%i) become a logged 500', async (status, payload) => {
    const { answer, log } = await withResponse(status, payload);
    expect(answer).toBeProblem(500, 'internal');
    expect(log).toContain('contract bug');
    expect(log).toContain('"operationId":"test.answer"');
    expect(answer.body + log).not.toContain('s3cret');
  });

  test('with a status that the route declares keep its schema', async () => {
    const response = { 503: z.object({ status: z.string() }) };
    const { answer } = await withResponse(503, { status: 'fail', secret: 1 }, response);
    expect(answer).toMatchObject({ statusCode: 503, body: '{"status":"fail"}' });
  });

  test('that are pages are sent unchanged', async () => {
    const app = await withPublicRoutes(createTestHttp(), (routes) => {
      const schema: FastifySchema = { response: { 200: z.string() } };
      routes.get('/', { schema }, (_request, reply) =>
        reply.code(404).type('text/html').send('<p>gone</p>'),
      );
    });
    expect(await app.inject('/')).toMatchObject({ statusCode: 404, body: '<p>gone</p>' });
  });
});

describe('toProblem, for protocols other than HTTP', () => {
  test('maps invalid input to a problem with its errors', () => {
    const details = [{ type: 'missing', loc: ['body', 'a'], msg: 'Field required', input: null }];
    const { problem } = toProblem(new RequestValidationError(details), 'r-1');
    expect(problem).toEqual({
      type: '/developer/errors#request.validation',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'The request does not match its schema.',
      code: 'request.validation',
      request_id: 'r-1',
      errors: details,
    });
  });
});
