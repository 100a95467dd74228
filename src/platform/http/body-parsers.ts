import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { type Excess, findExcess, type JsonBounds, parseJson } from '../../lib/json/bounds.ts';
import { findJsonSyntaxError } from '../../lib/json/syntax.ts';
import { createPacedQueue } from '../../lib/concurrency/paced-queue.ts';
import { findRepeatedMember, type JsonPath } from '../../lib/json/repeated-members.ts';
import { requestErrors } from '../errors/errors.ts';
import { RequestValidationError } from '../validation/validation-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs expensive tasks one at a time, with pauses in which other requests are served. */
    atBodyPace: ReturnType<typeof createPacedQueue>;
  }
  interface FastifyContextConfig {
    /**
     * Maximum number of values in a JSON body, without and with a write key. Default: 10,000 or a
     * number derived from `bodyLimit`.
     */
    jsonValues?: { open: number; keyed: number };
  }
}

type Done = (error: Error | null, body?: unknown) => void;

const maxFields = 1000;
const maxEchoedDepth = 16;
const maxEchoedName = 64;

/**
 * Bodies of at least this many characters are parsed at body pace, to leave time for small
 * requests.
 */
const largeBodyChars = 32 * 1024;

/** Default bounds of a JSON body, far above what any schema accepts. */
const defaultBounds: JsonBounds = { depth: 64, values: 10_000, names: 1000 };

function boundsOf({ principal, server, routeOptions }: FastifyRequest): JsonBounds {
  const {
    bodyLimit,
    config: { jsonValues },
  } = routeOptions;
  if (jsonValues === undefined)
    return { ...defaultBounds, values: Math.max(defaultBounds.values, bodyLimit / 8) };
  return {
    ...defaultBounds,
    values: server.mayWriteInBulk(principal) ? jsonValues.keyed : jsonValues.open,
  };
}

function excessError(excess: Excess): Error {
  if (excess === 'depth') return jsonError(0, 'Nested too deeply');
  const what = excess === 'values' ? 'values' : 'different names of members';
  return requestErrors.too_large({
    detail: `The request body holds more ${what} than this path accepts.`,
  });
}

/** Charges a JSON body to its sender and checks its bounds. Throws 413, 422 or 429. */
export function admitJson(request: FastifyRequest, text: string): void {
  request.server.chargeBody(request, Buffer.byteLength(text));
  const excess = findExcess(text, boundsOf(request));
  if (excess !== undefined) throw excessError(excess);
}

const jsonError = (offset: number, message: string): RequestValidationError =>
  new RequestValidationError([
    {
      type: 'json_invalid',
      loc: ['body', offset],
      msg: 'JSON decode error',
      input: {},
      ctx: { error: message },
    },
  ]);

/** FastAPI's error for a body that is not JSON. The body itself is not echoed. */
function jsonInvalid(text: string): RequestValidationError {
  const { offset, message } = findJsonSyntaxError(text) ?? {
    offset: 0,
    message: 'Nested too deeply',
  };
  return jsonError(offset, message);
}

/** True when the route declares no body: as in FastAPI, a bad one does not fail the request. */
function ignoresBody(request: FastifyRequest): boolean {
  return request.is404 || request.routeOptions.schema?.body === undefined;
}

function parseBody(request: FastifyRequest, text: string): unknown {
  if (text === '') return undefined;
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    admitJson(request, json);
  } catch (error) {
    if (error instanceof RequestValidationError && ignoresBody(request)) return undefined;
    throw error;
  }
  try {
    return parseJson(json);
  } catch {
    if (ignoresBody(request)) return undefined;
    throw jsonInvalid(json);
  }
}

function parseUnambiguousBody(request: FastifyRequest, text: string): unknown {
  const body = parseBody(request, text);
  const repeated = ignoresBody(request) ? undefined : findRepeatedMember(text);
  if (repeated !== undefined) throw repeatedMember(repeated);
  return body;
}

type Read = (request: FastifyRequest, text: string) => unknown;

/** Makes a Fastify body parser from `read`, which returns the body or throws. */
function toParser(read: Read) {
  return (request: FastifyRequest, text: string, done: Done): void => {
    const settle = async (): Promise<void> => {
      let body: unknown;
      try {
        body = read(request, text);
      } catch (error) {
        done(asError(error));
        return;
      }
      done(null, body);
    };
    void (text.length < largeBodyChars ? settle() : request.server.atBodyPace(settle));
  };
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

const readJson = toParser(parseBody);
const readUnambiguousJson = toParser(parseUnambiguousBody);

/** Limits a path for echoing it to the client, because the client chose the names in it. */
function echoedPath(path: JsonPath): JsonPath {
  const end = path.findIndex(
    (step, depth) =>
      depth >= maxEchoedDepth || (typeof step === 'string' && step.length > maxEchoedName),
  );
  return end === -1 ? path : path.slice(0, end);
}

function repeatedMember(path: JsonPath): RequestValidationError {
  return new RequestValidationError([
    {
      type: 'value_error',
      loc: ['body', ...echoedPath(path)],
      msg: 'Value error, given more than once',
      input: null,
      ctx: { error: {} },
    },
  ]);
}

function readUnknown(request: FastifyRequest, text: string, done: Done): void {
  if (ignoresBody(request) || text === '') done(null, undefined);
  else done(requestErrors.unsupported_media_type());
}

const asText = { parseAs: 'string' } as const;
const jsonTypes = ['application/json', /^application\/[\w.-]+\+json/];

/** A type and a subtype (RFC 9110 §8.3.1), followed by any parameters. */
const wellFormedType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Replaces a malformed content type by `application/octet-stream` (RFC 9110 §8.3). Fastify would
 * reject it before it chooses a parser, even on paths without a body, which must ignore any body.
 */
export function nameContentType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json' || wellFormedType.test(type)) return;
  headers['content-type'] = 'application/octet-stream';
}

/**
 * Registers the body parsers: JSON (`application/json` and `…+json`) is parsed, an empty body is
 * `undefined`, and a body with any other content type, or none, is a 415. It is never parsed as
 * JSON, because a page of another origin may send text and forms without a preflight. Scopes may
 * accept further types.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.decorate('atBodyPace', createPacedQueue(1));
  app.removeAllContentTypeParsers();
  for (const type of jsonTypes) app.addContentTypeParser(type, asText, readJson);
  app.addContentTypeParser('*', asText, readUnknown);
}

/** Accepts `application/x-www-form-urlencoded` in this scope, up to 1,000 fields. */
export function acceptForms(scope: FastifyInstance): void {
  scope.register(formbody, {
    parser: (text) => ({ ...parseForm(text, '&', '=', { maxKeys: maxFields }) }),
  });
}

/** Accepts raw bodies of any content type in this scope, for signature checks. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/** Accepts `multipart/form-data` as bytes in this scope, for a form with a file. */
export function acceptFileForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/**
 * Rejects JSON bodies in which an object repeats a member, with 422, in this scope and the scopes
 * inside it. Otherwise a proxy could check one occurrence while the service uses the other.
 */
export function refuseRepeatedMembers(scope: FastifyInstance): void {
  for (const type of jsonTypes) {
    scope.removeContentTypeParser(type);
    scope.addContentTypeParser(type, asText, readUnambiguousJson);
  }
}

/** Accepts bodies of these content types as text in this scope. Answers 422 when not UTF-8. */
export function acceptText(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser(
    [...contentTypes],
    { parseAs: 'buffer' },
    (_request, bytes: Buffer, done) => {
      if (!isUtf8(bytes))
        done(
          new RequestValidationError([
            {
              type: 'value_error',
              loc: ['body'],
              msg: 'Value error, is not UTF-8',
              input: null,
              ctx: { error: {} },
            },
          ]),
        );
      else done(null, bytes.length === 0 ? undefined : bytes.toString());
    },
  );
}

/** Accepts JSON under further content types in this scope, such as a beacon's `text/plain`. */
export function acceptJsonAs(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser([...contentTypes], asText, readJson);
}
