import type { FastifyInstance, RouteOptions } from 'fastify';
import { mapInSlices } from '../../lib/concurrency/slices.ts';
import { markOperations } from './audiences.ts';
import { openResponses, tidyComponents } from './components.ts';
import type { OpenApiDocument } from './document.ts';
import { completeExamples } from './examples.ts';
import { addNamedSchemas } from './named-schemas.ts';
import { describeRequestDefaults } from './request-defaults.ts';
import { completeResponses } from './responses.ts';

/** Copies the document: its parts belong to routes and schemas, and are changed below. */
async function copyOf(document: OpenApiDocument): Promise<OpenApiDocument> {
  const copies = await mapInSlices(
    Object.entries(document.paths),
    ([path, item]) => [path, structuredClone(item)] as const,
  );
  const components = structuredClone(document.components);
  return { ...document, paths: Object.fromEntries(copies), components };
}

/** Completes the document in place. Yields after each short step. */
function* complete(document: OpenApiDocument): Generator {
  yield* addNamedSchemas(document);
  yield* completeResponses(document);
  // Errors refer to schemas, too.
  const used = yield* addNamedSchemas(document);
  yield* openResponses(document);
  yield* tidyComponents(document, used);
  yield* completeExamples(document);
  // After the examples, which show defaults.
  yield* describeRequestDefaults(document);
  markOperations(document);
}

/**
 * Builds the OpenAPI document of an app that is ready, in slices: all at once would block the event
 * loop for a second. `prepare` converts the schemas of a route, for the transform of
 * `@fastify/swagger`.
 */
export async function buildDocument(
  app: FastifyInstance,
  prepare: (route: RouteOptions) => void,
): Promise<OpenApiDocument> {
  await mapInSlices(app.registeredRoutes, prepare);
  const made = app.swagger() as unknown as OpenApiDocument;
  const document = await copyOf(made);
  // The plugin keeps what it has made.
  made.paths = {};
  await mapInSlices(complete(document), () => undefined);
  return document;
}
