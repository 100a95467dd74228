import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { registerAnyMethod } from '../../platform/http/any-method.ts';
import { isLocalRequest } from '../../platform/http/requests/local-request.ts';
import { DevAccessView, DevModeView, DevStatusView } from './schemas.ts';
import type { DevelopmentCaller, DevelopmentReports } from './service.ts';

interface Report {
  path: string;
  operation: string;
  summary: string;
  description: string;
  returns: string;
  response: ZodType;
  answer: (caller: DevelopmentCaller) => unknown;
}

const closed = 'Outside development, and from elsewhere, `enabled` is false and there is no more.';

const reportsOf = (reports: DevelopmentReports): Report[] => [
  {
    path: '/workflows/api/v1/auth/dev-access',
    operation: 'development.access',
    summary: 'Get development access',
    description: `Whether this request may use development conveniences. ${closed}`,
    returns: 'Whether this request may use development conveniences.',
    response: DevAccessView,
    answer: (caller) => reports.access(caller),
  },
  {
    path: '/workflows/api/v1/auth/dev-mode',
    operation: 'development.mode',
    summary: 'Get development mode',
    description: `Whether the service runs in development mode, and what is on. ${closed}`,
    returns: 'Whether the service runs in development mode.',
    response: DevModeView,
    answer: (caller) => reports.mode(caller),
  },
  {
    path: '/workflows/api/v1/auth/dev-status',
    operation: 'development.status',
    summary: 'Get development status',
    description: `Version, uptime, and which stores are embedded. ${closed}`,
    returns: 'The state of the development environment.',
    response: DevStatusView,
    answer: (caller) => reports.status(caller),
  },
];

const callerOf = (request: FastifyRequest): DevelopmentCaller => ({
  method: request.method,
  isLocal: isLocalRequest(request),
});

/** Reports about development mode. No method changes anything, so none needs a rate limit. */
export function developmentRoutes(
  app: FastifyInstance,
  { reports }: { reports: DevelopmentReports },
): void {
  for (const { answer, ...report } of reportsOf(reports)) {
    registerAnyMethod(app, {
      ...report,
      tags: ['development'],
      answer: (request) => answer(callerOf(request)),
    });
  }
}
