import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPublicFiles, type PublicFiles } from '../../platform/ui/public-files.ts';
import { dayMs } from '../../lib/durations.ts';

export interface PublicFileRoutesOptions {
  /** The folder of static files. */
  publicFolder: URL;
}

/** Media types by extension or file name that differ from the defaults. */
const typeOverrides: Readonly<Partial<Record<string, string>>> = {
  '.ico': 'image/x-icon',
  'apple-app-site-association': 'application/json',
};

const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path);

/** Leaves out files whose path is a route of the service. */
function excludeRoutes(
  { files, leftOut }: PublicFiles,
  { registeredRoutes }: FastifyInstance,
): PublicFiles {
  const taken = new Set(registeredRoutes.map(({ url }) => withoutSlash(url)));
  const isFree = (file: string): boolean => !taken.has(`/${file}`);
  const reason = 'the service answers this path itself';
  return {
    files: files.filter(isFree),
    leftOut: [
      ...leftOut,
      ...files.filter((file) => !isFree(file)).map((file) => ({ file, reason })),
    ],
  };
}

/** The operation id of a file; undefined when another route already has it. */
function operationOf(file: string, { registeredRoutes }: FastifyInstance): string | undefined {
  const name = `pages.${file.replace(/\.\w+$/, '').replace(/[^A-Za-z]+/g, '_')}`;
  return registeredRoutes.some(({ schema }) => schema?.operationId === name) ? undefined : name;
}

/**
 * Serves the files of `public/`, one route per file, except hidden files and links to the outside.
 * Register it after all other routes.
 */
export const publicFileRoutes: FastifyPluginAsyncZod<PublicFileRoutesOptions> = async (
  app,
  { publicFolder },
) => {
  const root = fileURLToPath(publicFolder);
  const { files, leftOut } = excludeRoutes(await findPublicFiles(root), app);
  if (files.length === 0)
    app.log.warn(
      { folder: root },
      'the public folder is missing or empty: there is no favicon.ico, for instance',
    );
  for (const { file, reason } of leftOut)
    app.log.warn({ file, reason }, 'a file of the public folder is not served');

  await app.register(fastifyStatic, {
    root,
    serve: false,
    maxAge: dayMs,
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const type = typeOverrides[extname(path)] ?? typeOverrides[basename(path)];
      if (type !== undefined && reply.statusCode !== 304) reply.header('content-type', type);
    },
  });
  app.setErrorHandler(
    (error: FastifyError & { headers?: Record<string, string> }, _request, reply) => {
      const range = error.statusCode === 416 ? error.headers?.['Content-Range'] : undefined;
      if (range !== undefined) void reply.header('content-range', range);
      throw error;
    },
  );
  for (const file of files) {
    const operationId = operationOf(file, app);
    app.get(
      `/${file}`,
      {
        schema: {
          ...(operationId === undefined ? {} : { operationId }),
          summary: `The file ${file}`,
          tags: ['pages'],
          hide: true,
        },
      },
      (_request, reply) => reply.sendFile(file),
    );
  }
};
