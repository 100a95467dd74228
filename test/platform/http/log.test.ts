import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requestErrors } from '../../../src/platform/errors/errors.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

async function createApp(http = createTestHttp()) {
  const app = await withPublicRoutes(http, (routes) => {
    routes.post(
      '/items/:id',
      {
        schema: {
          operationId: 'test.item',
          params: z.object({ id: z.string() }),
          body: z.object({ note: z.string() }),
        },
      },
      (request) => {
        request.log.info({ headers: request.headers }, 'inside');
        return {};
      },
    );
    routes.get('/quiet', { config: { quiet: true } }, () => ({}));
    routes.get(
      '/quiet-failure',
      { config: { quiet: true }, schema: { operationId: 'test.quietFailure' } },
      () => {
        throw new Error('it broke');
      },
    );
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
    expect(http.lines()).toMatchObject([
      {
        level: 'error',
        msg: 'request failed',
        operationId: 'test.quietFailure',
        err: { message: 'it broke' },
      },
    ]);
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
  function capture(write: (logger: ReturnType<typeof createLogger>) => void): string {
    let text = '';
    write(
      createLogger({
        level: 'debug',
        destination: {
          write: (line) => {
            text += line;
          },
        },
      }),
    );
    return text;
  }

  test('writes ISO time and the level as a word, but no process or host', () => {
    const line = JSON.parse(capture((logger) => logger.warn('hello'))) as Record<string, unknown>;
    expect(Object.keys(line).sort()).toEqual(['level', 'msg', 'time']);
    expect(line.level).toBe('warn');
  });

  test('names the replica in every line, including those of child loggers', () => {
    let text = '';
    const logger = createLogger({
      level: 'info',
      replica: 'eu-1',
      destination: {
        write: (line) => {
          text += line;
        },
      },
    });
    logger.info('one');
    logger.child({ operationId: 'test' }).warn({ err: new Error('two') }, 'two');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { replica: 'eu-1', msg: 'one' },
      { replica: 'eu-1', msg: 'two' },
    ]);
  });

  test('redacts secrets where they are usually logged', () => {
    const text = capture((logger) => {
      logger.info({
        password: 'hunter2',
        req: {
          headers: {
            authorization: 'hunter2',
            cookie: 'hunter2',
            'set-cookie': 'hunter2',
            'x-api-key': 'hunter2',
          },
        },
      });
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
