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
    /** Does what is large at a pace that leaves other requests their turn. */
    atBodyPace: ReturnType<typeof createPacedQueue>;
  }
  interface FastifyContextConfig {
    /**
     * Most values of a JSON body, without and with a write key. Unset: 10,000 or by `bodyLimit`.
     */
    jsonValues?: { open: number; keyed: number };
  }
}

type Done = (error: Error | null, body?: unknown) => void;

const maxFields = 1000;
const shownDepth = 16;
const shownName = 64;

/** Bodies from this many characters on are parsed at a pace, to leave time for small requests. */
const largeBody = 32 * 1024;

/** Default bounds of a JSON body: far more than any of our schemas takes. */
const usual: JsonBounds = { depth: 64, values: 10_000, names: 1000 };

function boundsOf({ principal, server, routeOptions }: FastifyRequest): JsonBounds {
  const {
    bodyLimit,
    config: { jsonValues },
  } = routeOptions;
  if (jsonValues === undefined) return { ...usual, values: Math.max(usual.values, bodyLimit / 8) };
  return {
    ...usual,
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

/** FastAPI's error for a body that is not JSON; the text itself is not repeated. */
function jsonInvalid(text: string): RequestValidationError {
  const { offset, message } = findJsonSyntaxError(text) ?? {
    offset: 0,
    message: 'Nested too deeply',
  };
  return jsonError(offset, message);
}

/** Whether the route declares no body: as in FastAPI, a bad one does not fail the request. */
function ignoresBody(request: FastifyRequest): boolean {
  return request.is404 || request.routeOptions.schema?.body === undefined;
}

function parseBody(request: FastifyRequest, text: string): unknown {
  if (text === '') return undefined;
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    admitJson(request, json);
  } catch (refusal) {
    if (refusal instanceof RequestValidationError && ignoresBody(request)) return undefined;
    throw refusal;
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

/** A body parser for Fastify that answers what `read` gives or throws. */
function reading(read: Read) {
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
    void (text.length < largeBody ? settle() : request.server.atBodyPace(settle));
  };
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

const readJson = reading(parseBody);
const readUnambiguousJson = reading(parseUnambiguousBody);

/** The names in it are the client's: few and short ones are repeated to it. */
function shownPath(path: JsonPath): JsonPath {
  const end = path.findIndex(
    (step, depth) => depth >= shownDepth || (typeof step === 'string' && step.length > shownName),
  );
  return end === -1 ? path : path.slice(0, end);
}

function repeatedMember(path: JsonPath): RequestValidationError {
  return new RequestValidationError([
    {
      type: 'value_error',
      loc: ['body', ...shownPath(path)],
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

/** A type and a subtype (RFC 9110 §8.3.1), whatever parameters follow. */
const wellFormedType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Gives a content type that cannot be read the name of unknown bytes (RFC 9110 §8.3). Fastify would
 * refuse it before it asks for a parser, also on paths that read no body: those ignore what comes,
 * whatever it is called.
 */
export function nameContentType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json' || wellFormedType.test(type)) return;
  headers['content-type'] = 'application/octet-stream';
}

/**
 * How bodies are read: JSON (`application/json` and `…+json`) is parsed, an empty body is
 * `undefined`, and a body of any other content type, or of none, is 415. It is never taken for
 * JSON, so that a foreign page, which may send text and forms without asking, cannot send some.
 * Scopes may read further types.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.decorate('atBodyPace', createPacedQueue(1));
  app.removeAllContentTypeParsers();
  for (const type of jsonTypes) app.addContentTypeParser(type, asText, readJson);
  app.addContentTypeParser('*', asText, readUnknown);
}

/** Lets this scope read `application/x-www-form-urlencoded`, up to 1,000 fields. */
export function acceptForms(scope: FastifyInstance): void {
  scope.register(formbody, {
    parser: (text) => ({ ...parseForm(text, '&', '=', { maxKeys: maxFields }) }),
  });
}

/** Gives this scope raw bodies of any content type, for signatures. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/**
 * Refuses JSON bodies in which an object has a member twice, for the routes of this scope and the
 * scopes inside it: 422. What is checked on the way in, by a proxy for instance, could else be the
 * one, and what counts here the other.
 */
export function refuseRepeatedMembers(scope: FastifyInstance): void {
  for (const type of jsonTypes) {
    scope.removeContentTypeParser(type);
    scope.addContentTypeParser(type, asText, readUnambiguousJson);
  }
}

/** Gives this scope bodies of these content types as text. Throws 422 when not UTF-8. */
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

/** Lets this scope read JSON under further content types, such as a beacon's `text/plain`. */
export function acceptJsonAs(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser([...contentTypes], asText, readJson);
}
