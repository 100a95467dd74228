import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { tidyComponents } from './openapi-components.ts';
import { scope } from './scopes.ts';
import { answerWith } from './security.ts';

export interface ApiReferenceOptions {
  /** Public URL of the service; `/` when it is not known. */
  baseUrl?: string | undefined;
  /** What each tag is about, in the order in which the reference shows them. */
  tags?: { name: string; description: string }[];
}

// The one style element that swagger-ui's bundle inserts. It changes with the package's version.
const bundleStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";
const referencePolicy =
  `default-src 'none'; script-src 'self'; style-src 'self' ${bundleStyle}; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

const zodTransform = createJsonSchemaTransform({ skipList: [] });

function documentedContent(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('content' in response)) return response;
  const content = Object.entries(response.content as object).filter(([type]) => type !== '*/*');
  return { ...response, content: Object.fromEntries(content) };
}

/** Leaves out what only guards answers at run time: catch-all content types and the undeclared statuses. */
function documentedResponses(schema: FastifySchema): object {
  const responses = Object.entries(schema.response ?? {}).filter(([status]) => status !== 'default');
  return Object.fromEntries(responses.map(([status, response]) => [status, documentedContent(response)]));
}

const securitySchemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key, or the access token of a person.' },
  dpopAuth: { type: 'http', scheme: 'DPoP', description: 'An access token that is bound to a device\'s key, with a proof in the DPoP header (RFC 9449).' },
  sessionCookie: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'The session of a person\'s browser.' },
} as const;

function securityOf(schema: FastifySchema, route: RouteOptions): NonNullable<FastifySchema['security']> {
  return schema.security ?? (route.config?.scope === 'public' ? [] : [{ bearerAuth: [] }, { dpopAuth: [] }, { sessionCookie: [] }]);
}

function transform(input: Parameters<typeof zodTransform>[0]): ReturnType<typeof zodTransform> {
  const schema = input.schema as FastifySchema | undefined;
  if (schema === undefined || schema.hide === true) return zodTransform(input);
  const security = securityOf(schema, input.route);
  return zodTransform({ ...input, schema: { ...schema, security, response: documentedResponses(schema) } });
}

/**
 * Makes the OpenAPI 3.1 document from the routes that are registered after this call, and serves it at
 * `/api/openapi.json`, with Swagger UI at `/api/docs`.
 */
export async function registerApiReference(app: FastifyInstance, { baseUrl = '/', tags = [] }: ApiReferenceOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Platform service',
        version: '0.1.0',
        description: 'Sign-in, one-time passwords, device security, analytics, realtime and status over HTTP.',
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: baseUrl }],
      tags: [...tags, { name: 'reference', description: 'This reference.' }],
      components: { securitySchemes },
    },
    transform,
    transformObject: (input) => tidyComponents(jsonSchemaTransformObject(input)),
  });
  scope(app, 'public', undefined, registerReferenceRoutes);
  await app.after();
}

async function registerReferenceRoutes(child: FastifyInstance): Promise<void> {
  answerWith(child, { 'content-security-policy': referencePolicy });
  let document: string | undefined;
  child.get('/api/openapi.json', {
    schema: {
      operationId: 'reference.openapi',
      summary: 'The OpenAPI document',
      tags: ['reference'],
      response: { 200: z.record(z.string(), z.unknown()) },
    },
  }, (_request, reply) => {
    document ??= JSON.stringify(child.swagger());
    return reply.type('application/json').send(document);
  });
  await child.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { urls: [{ url: '/api/openapi.json', name: '0.1.0' }], deepLinking: true, docExpansion: 'list' },
    theme: { title: 'API reference' },
  });
}
