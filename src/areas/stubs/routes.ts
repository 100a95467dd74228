import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Config } from '../../config.ts';
import type { Development } from '../../platform/http/development.ts';
import { registerStub } from './any-method.ts';
import { CmykView, DevView } from './schemas.ts';

export interface StubRoutesOptions {
  environment: Config['NODE_ENV'];
  development: Pick<Development, 'bypass' | 'allows'>;
  version: string;
}

const devPaths = [
  {
    path: '/workflows/api/v1/auth/dev-access',
    operation: 'stubs.dev_access',
    summary: 'Get dev access',
  },
  {
    path: '/workflows/api/v1/auth/dev-mode',
    operation: 'stubs.dev_mode',
    summary: 'Get dev mode',
  },
  {
    path: '/workflows/api/v1/auth/dev-status',
    operation: 'stubs.dev_status',
    summary: 'Get dev status',
  },
];

/** Placeholders for future areas. They report the current state and change nothing. */
export const stubRoutes: FastifyPluginAsyncZod<StubRoutesOptions> = async (
  app,
  { environment, development, version },
) => {
  registerStub(app, {
    path: '/cmyk/api',
    operation: 'stubs.cmyk',
    summary: 'List the endpoints of the cmyk API',
    description: 'The cmyk API has no endpoints of its own yet.',
    returns: 'The endpoints of the cmyk API.',
    response: CmykView,
    answer: (_request, method) => ({
      service: 'cmyk',
      version,
      method,
      endpoints: [{ method: 'GET', path: '/cmyk/api/' }],
      docs: '/api/docs',
    }),
  });

  for (const stub of devPaths) {
    registerStub(app, {
      ...stub,
      description:
        'Whether development mode is on for this request. It is always off outside ' +
        'development. No HTTP method changes it.',
      returns: 'Whether development mode is on for this request.',
      response: DevView,
      answer: (request, method) => {
        const enabled = development.bypass && development.allows(request);
        const detail = enabled
          ? 'Development mode, and this request comes from this machine.'
          : 'Development conveniences are off for this request.';
        return { enabled, environment, method, changed: false, detail };
      },
    });
  }
};
