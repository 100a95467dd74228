import type { FastifyInstance } from 'fastify';
import { type AnyMethodRoute, registerAnyMethod } from '../../platform/http/any-method.ts';
import { isLocalRequest } from '../../platform/http/requests/local-request.ts';
import { DevAccessView, DevModeView, DevStatusView } from './schemas.ts';
import type { DevelopmentCaller, DevelopmentReports } from './service.ts';

interface Report extends Omit<AnyMethodRoute, 'tags' | 'answer'> {
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
    answer: reports.access,
  },
  {
    path: '/workflows/api/v1/auth/dev-mode',
    operation: 'development.mode',
    summary: 'Get development mode',
    description: `Whether the service runs in development mode, and what is on. ${closed}`,
    returns: 'Whether the service runs in development mode.',
    response: DevModeView,
    answer: reports.mode,
  },
  {
    path: '/workflows/api/v1/auth/dev-status',
    operation: 'development.status',
    summary: 'Get development status',
    description: `Version, uptime, and which stores are embedded. ${closed}`,
    returns: 'The state of the development environment.',
    response: DevStatusView,
    answer: reports.status,
  },
];

/** Reports about development mode. No method changes anything, so none needs a rate limit. */
export function developmentRoutes(app: FastifyInstance, reports: DevelopmentReports): void {
  for (const { answer, ...report } of reportsOf(reports))
    registerAnyMethod(app, {
      ...report,
      tags: ['development'],
      answer: (request) => answer({ method: request.method, isLocal: isLocalRequest(request) }),
    });
}
