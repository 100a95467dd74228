import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

/** A Fastify instance whose routes take the types of their parts from zod schemas. */
export type ZodApp = Parameters<FastifyPluginAsyncZod>[0];
