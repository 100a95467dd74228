import type { Logger } from 'pino';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requestErrors } from '../../../src/platform/errors/errors.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

async function createApp() {
  const http = createTestHttp();
  const app = await withPublicRoutes(http, (routes) => {
    const schema = {
      operationId: 'test.item',
      params: z.object({ id: z.string() }),
      body: z.object({ note: z.string() }),
    };
    routes.post('/items/:id', { schema }, (request) => {
      request.log.info({ headers: request.headers }, 'inside');
      return {};
    });
    const config = { quiet: true };
    routes.get('/quiet', { config }, () => ({}));
    const failing = { config, schema: { operationId: 'test.quietFailure' } };
    routes.get('/quiet-failure', failing, () => {
      throw new Error('it broke');
    });
    routes.get('/busy', () => {
      throw requestErrors.unavailable();
    });
    routes.get('/store-away', () => {
      throw Object.assign(new Error('Command timed out'), {
        command: { name: 'set', args: ['session:1', 'hunter2'] },
      });
    });
  });
  return { app, http };
}

describe('the log', () => {
  test('has one line for a request, without its address, query, headers or body', async () => {
    const { app, http } = await createApp();
    const answer = await app.inject({
      method: 'POST',
      url: '/items/person-7?token=hunter2',
      headers: {
        authorization: 'Bearer hunter2',
        cookie: 'svc_session=hunter2',
        'x-request-id': 'given-id-1',
      },
      payload: { note: 'hunter2' },
    });
    expect(answer.statusCode).toBe(200);
    const completed = http.lines().filter(({ msg }) => msg === 'request completed');
    expect(completed).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        operationId: 'test.item',
        method: 'POST',
        route: '/items/:id',
        status: 200,
        ms: expect.any(Number) as number,
        request_id: 'given-id-1',
        msg: 'request completed',
      },
    ]);
    expect(http.text()).not.toMatch(/hunter2|person-7/);
  });

  test("adds the request id to a route's own lines and redacts headers", async () => {
    const { app, http } = await createApp();
    await app.inject({
      method: 'POST',
      url: '/items/1',
      headers: { authorization: 'Bearer hunter2', 'x-request-id': 'given-id-2' },
      payload: { note: 'x' },
    });
    expect(http.lines()[0]).toMatchObject({
      msg: 'inside',
      request_id: 'given-id-2',
      headers: { authorization: '[redacted]' },
    });
  });

  test('has a line for refusals and for unknown routes, without the URL', async () => {
    const { app, http } = await createApp();
    await app.inject({ method: 'POST', url: '/items/1?q=hunter2', payload: { token: 'hunter2' } });
    await app.inject('/hunter2');
    await app.inject({ method: 'PUT', url: '/items/hunter2' });
    expect(http.lines().map(({ level, status }) => [level, status])).toEqual([
      ['info', 422],
      ['info', 404],
      ['info', 405],
    ]);
    expect(http.text()).not.toContain('hunter2');
  });

  test('has only the failures of a quiet route', async () => {
    const { app, http } = await createApp();
    await app.inject('/quiet');
    expect(http.lines()).toEqual([]);
    await app.inject('/quiet-failure');
    const [line, ...others] = http.lines();
    expect(line).toMatchObject({ level: 'error', operationId: 'test.quietFailure' });
    expect(line).toMatchObject({ msg: 'request failed', err: { message: 'it broke' } });
    expect(others).toEqual([]);
  });

  test('has the reason of an unexpected failure, but none for an intended 503', async () => {
    const { app, http } = await createApp();
    await app.inject('/busy');
    expect(http.lines().map(({ level, status, msg }) => [level, status, msg])).toEqual([
      ['warn', 503, 'request completed'],
    ]);
    await app.inject('/store-away');
    expect(http.lines()[1]).toMatchObject({
      level: 'error',
      msg: 'request failed',
      err: { message: 'Command timed out' },
    });
    expect(http.text()).not.toContain('hunter2');
  });
});

describe('createLogger', () => {
  /** Returns what is written to a logger. */
  function capture(write: (logger: Logger) => void, replica?: string): string {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    write(createLogger({ level: 'debug', destination, ...(replica && { replica }) }));
    return lines.join('');
  }

  test('writes ISO time and the level as a word, but no process or host', () => {
    const line = JSON.parse(capture((logger) => logger.warn('hello'))) as Record<string, unknown>;
    expect(Object.keys(line).sort()).toEqual(['level', 'msg', 'time']);
    expect(line.level).toBe('warn');
  });

  test('names the replica in every line, including those of child loggers', () => {
    const text = capture((logger) => {
      logger.info('one');
      logger.child({ operationId: 'test' }).warn({ err: new Error('two') }, 'two');
    }, 'eu-1');
    const lines = text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { replica: 'eu-1', msg: 'one' },
      { replica: 'eu-1', msg: 'two' },
    ]);
  });

  test('redacts secrets where they are usually logged', () => {
    const secret = 'hunter2';
    const headers = { authorization: secret, cookie: secret, 'set-cookie': secret };
    const text = capture((logger) => {
      logger.info({ password: secret, req: { headers: { ...headers, 'x-api-key': secret } } });
      logger.info({ job: { data: { token: 'hunter2' } }, headers: { 'set-cookie': 'hunter2' } });
    });
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[redacted\]/g)).toHaveLength(7);
  });

  test('keeps type, message, code, stack and causes of an error, and no more', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com)',
      parameters: ['ada@example.com'],
    });
    const text = capture((logger) => logger.error({ err: new Error('could not save', { cause }) }));
    const { err } = JSON.parse(text) as { err: Record<string, unknown> };
    expect(err).toMatchObject({
      type: 'Error',
      message: 'could not save',
      cause: { message: 'duplicate key', code: '23505' },
    });
    expect(text).not.toContain('ada@example.com');
  });
});
