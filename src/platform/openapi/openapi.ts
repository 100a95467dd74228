import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { validationDescription } from '../http/error-schemas.ts';
import { type Cacheable, sendCacheable } from '../http/etag.ts';
import { openAnswers, tidyComponents, tidySchemas } from './components.ts';
import type { OpenApiDocument } from './document.ts';
import { completeExamples } from './examples.ts';
import { factsOf } from './operation-facts.ts';
import { completeResponses } from './responses.ts';
import { yamlOf } from './yaml.ts';
import { scope } from '../http/scopes.ts';
import { answerWith } from '../http/security.ts';

/** A tag of the API reference: an area of the API. */
export interface ApiTag {
  name: string;
  description: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Describes a tag in the API reference. Tags appear in the order of these calls. */
    describeTag: (name: string, description: string) => void;
    /** The tags that were described, in the order of the API reference. */
    describedTags: () => readonly ApiTag[];
  }
}

export interface ApiReferenceOptions {
  /** The product, for the title of the document. */
  appName?: string;
  version?: string;
  /** An SVG image for Swagger UI. Default: the logo of Fastify. */
  logo?: Buffer | undefined;
  /** Description of the whole API. */
  description?: string;
  /** Public URL of the service. Default: `/`. */
  baseUrl?: string | undefined;
  /**
   * Builds the document before the app is ready. That blocks the event loop for about a second: in
   * production the start should take it, not the clients during the first request. Default: false.
   */
  isMadeAhead?: boolean;
}

// Hash of the only style element that swagger-ui's bundle inserts. Changes with the package's
// version.
const bundleStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";
const referencePolicy =
  `default-src 'none'; script-src 'self'; style-src 'self' ${bundleStyle}; ` +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const zodTransform = createJsonSchemaTransform({ skipList: [] });

function documentedContent(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('content' in response))
    return response;
  const content = Object.entries(response.content as object).filter(([type]) => type !== '*/*');
  return { ...response, content: Object.fromEntries(content) };
}

const runtimeOnly = new Set(['default', '4xx', '5xx']);

/** True for the 422 that every route with input declares. A route may also declare its own. */
const isGeneric422 = (status: string, response: object): boolean =>
  status === '422' && 'description' in response && response.description === validationDescription;

/**
 * Removes the responses that only validate answers at run time: errors, which are added by code,
 * catch-all content types and undeclared statuses.
 */
function documentedResponses(schema: FastifySchema): object {
  const responses = Object.entries(schema.response ?? {}).filter(
    ([status, response]) => !runtimeOnly.has(status) && !isGeneric422(status, response as object),
  );
  return Object.fromEntries(
    responses.map(([status, response]) => [status, documentedContent(response)]),
  );
}

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

function securityOf(
  schema: FastifySchema,
  route: RouteOptions,
): NonNullable<FastifySchema['security']> {
  return (
    schema.security ??
    (route.config?.scope === 'public'
      ? []
      : [{ bearerAuth: [] }, { dpopAuth: [] }, { sessionCookie: [] }])
  );
}

function transform(input: Parameters<typeof zodTransform>[0]): ReturnType<typeof zodTransform> {
  const schema = input.schema as FastifySchema | undefined;
  if (schema === undefined || schema.hide === true) return zodTransform(input);
  const security = securityOf(schema, input.route);
  const more = {
    'x-facts': factsOf(input.route, schema),
    ...(schema.rawBody === undefined ? {} : { body: schema.rawBody }),
    ...(schema.rawQuery === undefined ? {} : { querystring: schema.rawQuery }),
  };
  // The router ignores a trailing slash.
  const url = input.url.length > 1 ? input.url.replace(/\/$/, '') : input.url;
  return zodTransform({
    ...input,
    url,
    schema: { ...schema, security, response: documentedResponses(schema), ...more },
  });
}

function completeDocument<T extends object>(document: T): T {
  const own = structuredClone(document);
  completeResponses(own as unknown as OpenApiDocument);
  openAnswers(own as unknown as OpenApiDocument);
  const tidied = tidyComponents(own);
  tidySchemas(tidied);
  completeExamples(tidied as unknown as OpenApiDocument);
  return tidied;
}

/**
 * Builds the OpenAPI 3.1 document from the routes registered after this call, and serves it at
 * `/api/openapi.json` and `/api/openapi.yaml`, with Swagger UI at `/api/docs`. Every operation
 * documents examples and all its errors.
 */
export async function registerApiReference(
  app: FastifyInstance,
  {
    appName = 'Platform Service',
    version = '0.1.0',
    description = 'The HTTP interface of the service.',
    baseUrl = '/',
    isMadeAhead = false,
    logo,
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
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${appName} API`,
        version,
        description,
        ...(baseUrl === '/' ? {} : { contact: { name: appName, url: baseUrl } }),
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
    transform,
    transformObject: (input) => ({
      ...completeDocument(jsonSchemaTransformObject(input)),
      tags: allTags(),
    }),
  });
  scope(app, 'public', undefined, (child) => registerReferenceRoutes(child, logo));
  if (isMadeAhead) app.addHook('onReady', async () => void app.swagger());
  await app.after();
}

/** Returns the document's JSON and YAML. Each is written once, when it is first requested. */
function createDocuments(app: FastifyInstance) {
  const writtenOnce = (type: string, write: () => string | Promise<string>) => {
    let document: Promise<Cacheable> | undefined;
    const make = async (): Promise<Cacheable> => ({
      content: await write(),
      type: `${type}; charset=utf-8`,
      cacheControl: 'public, max-age=60',
    });
    return (): Promise<Cacheable> => (document ??= make());
  };
  return {
    json: writtenOnce('application/json', () => JSON.stringify(app.swagger())),
    yaml: writtenOnce('application/yaml', () => yamlOf(app.swagger())),
  };
}

type Documents = ReturnType<typeof createDocuments>;

function registerDocumentRoutes(child: FastifyInstance, documents: Documents): void {
  const schemas = {
    json: z.looseObject({ openapi: z.string().meta({ examples: ['3.1.0'] }) }),
    yaml: z.string().meta({ examples: ['openapi: 3.1.0\ninfo:\n  title: Platform Service API\n'] }),
  };
  for (const name of ['json', 'yaml'] as const) {
    child.get(
      `/api/openapi.${name}`,
      {
        schema: {
          operationId: name === 'json' ? 'reference.openapi' : `reference.openapi_${name}`,
          summary: `Get the OpenAPI document as ${name.toUpperCase()}`,
          returns: 'The OpenAPI 3.1 document.',
          description: 'Generated from the schemas that validate requests and responses.',
          tags: ['reference'],
          response: {
            200: { content: { [`application/${name}`]: { schema: schemas[name] } } },
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
  logo: Buffer | undefined,
): Promise<void> {
  answerWith(child, { 'content-security-policy': referencePolicy });
  const documents = createDocuments(child);
  registerDocumentRoutes(child, documents);
  await child.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: {
      urls: [{ url: '/api/openapi.json', name: '0.1.0' }],
      deepLinking: true,
      docExpansion: 'list',
    },
    uiHooks: {
      // Swagger UI has addresses of its own for the document. It would write it for each request,
      // and block the event loop for seconds when it writes YAML.
      onRequest: (request, reply, done) => {
        const name = request.routeOptions.url?.replace('/api/docs/', '');
        if (name !== 'json' && name !== 'yaml') {
          done();
          return;
        }
        documents[name]().then((document) => sendCacheable(request, reply, document), done);
      },
    },
    theme: { title: 'API reference' },
    ...(logo && { logo: { type: 'image/svg+xml', content: logo, href: '/', target: '_self' } }),
  });
}
