import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Config } from '../../config.ts';
import type { Development } from '../../platform/process/development.ts';
import { everyMethod, registerStub } from './any-method.ts';
import { CmykView, DevView } from './schemas.ts';

export interface StubRoutesOptions {
  environment: Config['NODE_ENV'];
  development: Pick<Development, 'bypass' | 'allows'>;
  version: string;
}

const devPaths = ['dev-access', 'dev-mode', 'dev-status'] as const;

/** Paths that exist before their area does. They say what is true now, and change nothing. */
export const stubRoutes: FastifyPluginAsyncZod<StubRoutesOptions> = async (
  app,
  { environment, development, version },
) => {
  registerStub(app, {
    path: '/cmyk/api',
    methods: everyMethod,
    operation: 'stubs.cmyk',
    summary: 'Index of the cmyk API',
    description: 'Lists the endpoints of the sub-product. It has none of its own yet.',
    response: CmykView,
    answer: (_request, method) => ({
      service: 'cmyk',
      version,
      method,
      endpoints: [{ method: 'GET', path: '/cmyk/api/' }],
      docs: '/api/docs',
    }),
  });

  for (const name of devPaths) {
    registerStub(app, {
      path: `/workflows/api/v1/auth/${name}`,
      methods: everyMethod,
      operation: `stubs.${name.replace('-', '_')}`,
      summary: `Report ${name.replace('-', ' ')}`,
      description:
        'Whether development conveniences are on for this request. Outside development they are off, whatever the method.',
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
