import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../../../platform/http/error-handler.ts';
import { toScimError } from './errors.ts';
import { mediaType } from './media.ts';

/** Answers with SCIM's error (RFC 7644 §3.12). */
export function sendScimError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { problem, headers } = failureOf(error, request);
  const body = toScimError(problem);
  return reply
    .code(Number(body.status))
    .headers(headers)
    .type(mediaType)
    .send(JSON.stringify(body));
}
