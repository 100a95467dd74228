import type { FastifyInstance, FastifySchema } from 'fastify';
import type { Logger } from 'pino';
import { parseConfig } from '../../src/config.ts';
import { createFastify } from '../../src/platform/http/fastify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Operation } from '../../src/platform/operations/operation.ts';
import { registerOperations } from '../../src/platform/operations/register.ts';
import { createLogger } from '../../src/platform/process/logger.ts';
import { scope } from '../../src/platform/http/scopes.ts';
import { openScopes } from './open-scopes.ts';

export interface TestHttp {
  app: FastifyInstance;
  logger: Logger;
  /** The log lines so far, oldest first. */
  lines: () => Record<string, unknown>[];
  /** The raw log text. */
  text: () => string;
}

/**
 * Creates the HTTP platform alone, with captured logs. `env` is parsed as the service parses its
 * environment.
 */
export function createTestHttp(env: Record<string, string> = {}): TestHttp {
  const written: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => written.push(line) },
  });
  const config = parseConfig({ NODE_ENV: 'test', ...env });
  const app = createFastify({ config, logger, clock: { now: () => Date.now() } });
  const text = () => written.join('');
  return {
    app,
    logger,
    text,
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Registers routes in a public scope. Returns the app when it is ready. */
export async function withPublicRoutes(
  http: TestHttp,
  register: (scope: FastifyInstance) => void,
): Promise<FastifyInstance> {
  scope(http.app, 'public', undefined, register);
  await http.app.ready();
  return http.app;
}

/** Registers operations, open to everybody. Returns the app when it is ready. */
export async function withOperations<Context extends object>(
  { app }: TestHttp,
  context: Context,
  operations: readonly Operation<Context>[],
): Promise<FastifyInstance> {
  const services = { ...context, scopes: openScopes(), clock: systemClock };
  registerOperations(app, services, operations);
  await app.ready();
  return app;
}

/** Returns a ready app whose `POST /check/:id` answers with the parsed parts of the request. */
export async function createEchoApp(
  schema: FastifySchema,
  http = createTestHttp(),
): Promise<FastifyInstance> {
  return withPublicRoutes(http, (routes) => {
    const path = schema.params === undefined ? '/check' : '/check/:id';
    routes.post(path, { schema: { operationId: 'test.check', ...schema } }, (request, reply) => {
      const { params, query, body } = request;
      return reply.send({ params, query, body });
    });
  });
}
