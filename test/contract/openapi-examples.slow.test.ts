import type { RouteOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCatalogue } from '../../src/platform/errors/errors.ts';
import {
  type Media,
  type OpenApiDocument,
  operationsOf,
  type Response,
} from '../../src/platform/openapi/document.ts';
import { createParameterParser } from '../../src/platform/validation/parameters.ts';
import { runSchema } from '../../src/platform/validation/validation-issues.ts';
import { freshApp } from '../support/app.ts';
import { createSchemaCheck } from '../support/json-schema.ts';

const app = await freshApp();
const document = (await app.http.inject('/api/openapi.json')).json<OpenApiDocument>();
const named = new Map(
  operationsOf(document).map((operation) => [operation.operationId ?? '', operation]),
);

const resolved = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (document.components.responses?.[response.$ref.split('/').at(-1) ?? ''] ?? response);
const valuesOf = ({ example, examples }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map(({ value }) => value),
];

/** Yields everything in the document that should have examples, and its location. */
function* documentedMedia(): Generator<{ location: string; media: Media }> {
  for (const [name, header] of Object.entries(document.components.headers ?? {}))
    yield { location: `header ${name}`, media: header };
  for (const [id, { parameters = [], requestBody, responses }] of named) {
    for (const { name, schema, example } of parameters)
      yield { location: `${id} parameter ${name}`, media: { schema: schema ?? {}, example } };
    for (const [type, media] of Object.entries(requestBody?.content ?? {}))
      yield { location: `${id} body ${type}`, media };
    for (const [status, response] of Object.entries(responses)) {
      for (const [type, media] of Object.entries(resolved(response).content ?? {}))
        yield { location: `${id} ${status} ${type}`, media };
    }
  }
}

/** Turns members into text, as parameters arrive in a request, and reads them. */
function asSent(schema: z.core.$ZodType, value: unknown): unknown {
  const texts = Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [
      name,
      Array.isArray(member) ? member : String(member),
    ]),
  );
  return createParameterParser(schema)?.(texts) ?? texts;
}

function refusalsOf({ schema }: RouteOptions): string[] {
  const operation = named.get(schema?.operationId ?? '');
  if (schema === undefined || operation === undefined) return [];
  const { parameters = [], requestBody } = operation;
  const examples = (where: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === where)
        .map(({ name, example }) => [name, example]),
    );
  const exampleOf = { params: examples('path'), querystring: examples('query') };
  const parts = [
    ...(['params', 'querystring'] as const).flatMap((part) =>
      schema[part] instanceof z.core.$ZodType
        ? [[part, schema[part], asSent(schema[part], exampleOf[part])] as const]
        : [],
    ),
    ...(schema.body instanceof z.core.$ZodType
      ? Object.values(requestBody?.content ?? {})
          .flatMap(valuesOf)
          .map((value) => ['body', schema.body as z.core.$ZodType, value] as const)
      : []),
  ];
  return parts.flatMap(([part, check, value]) =>
    runSchema(check, value).issues.map(
      ({ code, path, message }) =>
        `${operation.operationId ?? ''} ${part} ${(path ?? []).join('.')}: ${message ?? code}`,
    ),
  );
}

describe('every operation of the reference', () => {
  it('has an example of each parameter, body, response header and response with content', () => {
    expect(
      [...documentedMedia()]
        .filter(({ media }) => valuesOf(media).length === 0)
        .map(({ location }) => location),
    ).toEqual([]);
    expect([...documentedMedia()].length).toBeGreaterThan(500);
  });

  it('has examples that its schemas allow', () => {
    const check = createSchemaCheck(document);
    const faults = [...documentedMedia()].flatMap(({ location, media }) =>
      valuesOf(media).flatMap((value) =>
        check(media.schema ?? {}, value).map((fault) => `${location}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('describes response headers by reference, so that each has one example', () => {
    const headers = [...named.values()]
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.values(resolved(response).headers ?? {}));
    const references = Object.keys(document.components.headers ?? {}).map((name) => ({
      $ref: `#/components/headers/${name}`,
    }));
    for (const header of headers) expect(references).toContainEqual(header);
    expect(headers.length).toBeGreaterThan(1000);
  });

  it('accepts its own examples', () => {
    expect(
      app.http.registeredRoutes.filter(({ method }) => method !== 'HEAD').flatMap(refusalsOf),
    ).toEqual([]);
  });

  it('names only errors that exist', () => {
    const known = new Set(errorCatalogue().map(({ code }) => code));
    const declared = app.http.registeredRoutes.flatMap(({ schema, config }) => [
      ...(schema?.errors ?? []),
      ...(config?.errors ?? []),
    ]);
    expect([...new Set(declared)].filter((code) => !known.has(code))).toEqual([]);
    expect(new Set(declared).size).toBeGreaterThan(50);
  });

  it('documents 400, 500, 503 and a success, each with its exact status', () => {
    const poor = [...named].filter(([, { responses }]) => {
      const statuses = Object.keys(responses);
      return (
        !['400', '500', '503'].every((status) => statuses.includes(status)) ||
        !statuses.some((status) => Number(status) < 400) ||
        statuses.some((status) => !/^\d{3}$/.test(status))
      );
    });
    expect(poor.map(([id]) => id)).toEqual([]);
  });

  it('has patterns that compile, without Unicode property escapes', () => {
    const patterns = [
      ...new Set(
        [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
          ([, text = '']) => JSON.parse(text) as string,
        ),
      ),
    ];
    expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
    expect(patterns.length).toBeGreaterThan(10);
  });
});
