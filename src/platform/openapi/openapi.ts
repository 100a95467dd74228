import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { memoize, once } from '../../lib/memoize.ts';
import { type Cacheable, sendCacheable } from '../http/etag.ts';
import { clientDocumentOf } from './client-document.ts';
import { buildDocument } from './building.ts';
import type { OpenApiDocument } from './document.ts';
import { createRouteSchemas } from './route-schemas.ts';
import { type ReferenceFiles, serveSwaggerFiles } from './swagger-files.ts';
import { yamlOf } from './yaml.ts';
import { scope } from '../http/scopes.ts';
import { changeResponseHeaders } from '../http/security.ts';

/** A tag of the API reference: an area of the API. */
export interface ApiTag {
  name: string;
  description: string;
}

/** Writes the page at `/api/docs`, with the addresses of Swagger UI's files. */
type ReferenceWriter = (files: ReferenceFiles) => Promise<Cacheable>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Describes a tag in the API reference. Tags appear in the order of these calls. */
    describeTag: (name: string, description: string) => void;
    /** The tags that were described, in the order of the API reference. */
    describedTags: () => readonly ApiTag[];
    /** Sets the page at `/api/docs`. Default: Swagger UI's own. */
    setReferencePage: (write: ReferenceWriter) => void;
    /** The OpenAPI document. It is built at the first call, once the app is ready. */
    openApiDocument: () => Promise<OpenApiDocument>;
    /** The OpenAPI document as JSON. */
    openApiJson: () => Promise<string>;
  }
}

export interface ApiReferenceOptions {
  /** The product, for the title of the document. */
  appName?: () => string;
  version?: string;
  /** Description of the whole API. */
  description?: string;
  /** Public URL of the service. Default: `/`. */
  baseUrl?: string | undefined;
}

// Hash of the only style element that swagger-ui's bundle inserts. Changes with the package's
// version.
const bundleStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";
const referencePolicy =
  `default-src 'none'; script-src 'self'; style-src 'self' ${bundleStyle}; ` +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: "An API key or a user's access token.",
  },
  dpopAuth: {
    type: 'http',
    scheme: 'DPoP',
    description:
      "An access token bound to a device's key, with a proof in the DPoP header (RFC 9449).",
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_session',
    description:
      'The session cookie of a browser. Over https it can also be named ' +
      '`__Host-svc_session`, which takes precedence.',
  },
} as const;

/** What the document says of the product. */
const namesIn = (name: string, baseUrl: string) => ({
  title: `${name} API`,
  ...(baseUrl === '/' ? {} : { contact: { name, url: baseUrl } }),
});

/**
 * Builds the OpenAPI 3.1 document from the routes registered after this call, and serves it at
 * `/api/openapi.json` and `/api/openapi.yaml`, with Swagger UI at `/api/docs`. Every operation
 * documents examples and all its errors.
 */
export async function registerApiReference(
  app: FastifyInstance,
  {
    appName = () => 'Platform Service',
    version = '0.1.0',
    description = 'The HTTP interface of the service.',
    baseUrl = '/',
  }: ApiReferenceOptions,
): Promise<void> {
  const tags: ApiTag[] = [];
  const allTags = (): ApiTag[] => [
    ...tags,
    { name: 'reference', description: 'This reference, and indexes of the API.' },
  ];
  app.decorate('describedTags', allTags);
  app.decorate('describeTag', (name: string, description: string): void => {
    tags.push({ name, description });
  });
  const page: ReferencePage = {};
  app.decorate('setReferencePage', (write: ReferenceWriter): void => {
    page.write = write;
  });
  const { prepare, take } = createRouteSchemas();
  const documentOnce = once(async () => ({
    ...(await buildDocument(app, prepare)),
    tags: allTags(),
  }));
  const named = memoize(async (name) => {
    const document = await documentOnce();
    return { ...document, info: { ...document.info, ...namesIn(name, baseUrl) } };
  }, 2);
  const written = memoize(async (name) => JSON.stringify(await named(name)), 2);
  app.decorate('openApiDocument', () => named(appName()));
  app.decorate('openApiJson', () => written(appName()));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        version,
        description,
        ...namesIn(appName(), baseUrl),
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [
        {
          url: baseUrl,
          description: 'The server that provides this document, such as your production server.',
          'x-internal': false,
        } as { url: string; description: string },
      ],
      components: { securitySchemes },
    },
    transform: ({ route }) => take(route),
  });
  scope(app, 'public', undefined, (child) => registerReferenceRoutes(child, { page, appName }));
  await app.after();
}

/** The page at `/api/docs`, once a surface has set it. */
interface ReferencePage {
  write?: ReferenceWriter;
}

/** Returns the document's JSON and YAML. Each is written once for each name of the product. */
function createDocuments(app: FastifyInstance, appName: () => string) {
  function writtenOnce(type: string, write: () => Promise<string>) {
    const answerOf = memoize(
      async () => ({
        content: await write(),
        type: `${type}; charset=utf-8`,
        cacheControl: 'public, max-age=60',
      }),
      2,
    );
    return () => answerOf(appName());
  }
  const client = async () => JSON.stringify(await clientDocumentOf(await app.openApiDocument()));
  return {
    json: writtenOnce('application/json', app.openApiJson),
    'client.json': writtenOnce('application/json', client),
    yaml: writtenOnce('application/yaml', async () => yamlOf(await app.openApiDocument())),
  };
}

type Documents = ReturnType<typeof createDocuments>;

const JsonDocument = z.looseObject({ openapi: z.string().meta({ examples: ['3.1.0'] }) });
const YamlDocument = z
  .string()
  .meta({ examples: ['openapi: 3.1.0\ninfo:\n  title: Platform Service API\n'] });

const documentFacts: Record<keyof Documents, object> = {
  json: {
    operationId: 'reference.openapi',
    summary: 'Get the OpenAPI document as JSON',
    description:
      'Generated from the schemas that validate requests and responses. `x-alias-of` marks ' +
      'operations that another path repeats, `x-page` pages of HTML and their forms.',
  },
  'client.json': {
    operationId: 'reference.openapi_client',
    summary: 'Get the OpenAPI document for generators of clients',
    description:
      'The document without pages, aliases, examples and headers, half as long. Types that are ' +
      'made from it are complete.',
  },
  yaml: {
    operationId: 'reference.openapi_yaml',
    summary: 'Get the OpenAPI document as YAML',
    description: 'Generated from the schemas that validate requests and responses.',
  },
};

function registerDocumentRoutes(child: FastifyInstance, documents: Documents): void {
  for (const name of ['json', 'client.json', 'yaml'] as const) {
    const [type, content] =
      name === 'yaml' ? ['application/yaml', YamlDocument] : ['application/json', JsonDocument];
    child.get(
      `/api/openapi.${name}`,
      {
        schema: {
          ...documentFacts[name],
          returns: 'The OpenAPI 3.1 document.',
          tags: ['reference'],
          response: {
            200: { content: { [type]: { schema: content } } },
            304: z.undefined().describe('Not modified.'),
          },
        },
      },
      async (request, reply) => sendCacheable(request, reply, await documents[name]()),
    );
  }
}

async function registerReferenceRoutes(
  child: FastifyInstance,
  { page, appName }: { page: ReferencePage; appName: () => string },
): Promise<void> {
  changeResponseHeaders(child, { 'content-security-policy': referencePolicy });
  const documents = createDocuments(child, appName);
  registerDocumentRoutes(child, documents);
  const writers = new Map([
    ['json', documents.json],
    ['yaml', documents.yaml],
  ]);
  const filesOf = serveSwaggerFiles(child);
  const inPage = (write: ReferenceWriter) => async () => write(await filesOf());
  await child.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: {
      urls: [{ url: '/api/openapi.json', name: '0.1.0' }],
      deepLinking: true,
      docExpansion: 'none',
    },
    uiHooks: {
      // Swagger UI has addresses of its own for the document. It would write it for each request,
      // and block the event loop for seconds when it writes YAML.
      onRequest: (request, reply, done) => {
        const name = request.routeOptions.url?.replace(/^\/api\/docs\/?/, '');
        const { write: writePage } = page;
        const write = name === '' ? writePage && inPage(writePage) : writers.get(name ?? '');
        if (write === undefined) done();
        else write().then((content) => sendCacheable(request, reply, content), done);
      },
    },
    theme: { title: 'API reference' },
  });
}
