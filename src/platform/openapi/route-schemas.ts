import type { FastifySchema, RouteOptions } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { validationDescription } from '../http/error-schemas.ts';
import { createFacts } from './operation-facts.ts';

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
 * Removes the responses that only validate responses at run time: errors, which are added by code,
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

type Converted = ReturnType<typeof zodTransform>;

/** Returns a function that converts the schemas of a route, with its facts in `x-facts`. */
function createConverter(): (route: RouteOptions) => Converted {
  const factsOf = createFacts();
  return (route) => {
    const { schema } = route;
    if (schema === undefined || schema.hide === true)
      return { schema: { hide: true }, url: route.url };
    const documented = {
      ...schema,
      security: securityOf(schema, route),
      response: documentedResponses(schema),
      'x-facts': factsOf(route, schema),
      ...(schema.rawBody === undefined ? {} : { body: schema.rawBody }),
      ...(schema.rawQuery === undefined ? {} : { querystring: schema.rawQuery }),
    };
    // The router ignores a trailing slash.
    const url = route.url.length > 1 ? route.url.replace(/\/$/, '') : route.url;
    return zodTransform({ schema: documented, url, route, openapiObject: { openapi: '3.1.0' } });
  };
}

/** Converts the schemas of routes to JSON Schema, as `@fastify/swagger` reads them. */
export function createRouteSchemas() {
  const convert = createConverter();
  const converted = new Map<RouteOptions, Converted>();
  return {
    /** Converts those of one route, ahead of `take`. */
    prepare: (route: RouteOptions): void => void converted.set(route, convert(route)),
    /** Returns the converted schemas, and forgets them. */
    take: (route: RouteOptions): Converted => {
      const result = converted.get(route) ?? convert(route);
      converted.delete(route);
      return result;
    },
  };
}
