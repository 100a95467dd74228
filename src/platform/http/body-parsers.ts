import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { type Excess, findExcess, type JsonBounds, parseJson } from '../../lib/json/bounds.ts';
import { findJsonSyntaxError } from '../../lib/json/syntax.ts';
import { createPacedQueue } from '../../lib/concurrency/paced-queue.ts';
import { findRepeatedMember, type JsonPath } from '../../lib/json/repeated-members.ts';
import { requestErrors } from '../errors/errors.ts';
import { mayHoldUnstorable, refuseUnstorable } from '../validation/unstorable-text.ts';
import { RequestValidationError } from '../validation/validation-error.ts';
import { decodeStrictly, encodingOf, fileText, repairedBodyText } from './requests/body-text.ts';
import { readForm } from './requests/form-body.ts';

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
    /** Texts that no store can keep are repaired instead of refused. See `repairTexts`. */
    repairsTexts?: boolean;
    /** The route checks its texts itself: one that no store can keep does not refuse the others. */
    checksTexts?: boolean;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

const maxEchoedDepth = 16;
const maxEchoedName = 64;

/** Bodies of at least this many bytes are parsed at body pace, to leave time for small requests. */
const largeBodyBytes = 32 * 1024;

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
export function checkJsonLimits(request: FastifyRequest, text: string): void {
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

function parseBody(request: FastifyRequest, json: string): unknown {
  checkJsonLimits(request, json);
  let body: unknown;
  try {
    body = parseJson(json);
  } catch {
    throw jsonInvalid(json);
  }
  const { repairsTexts = false, checksTexts = false } = request.routeOptions.config;
  if (!repairsTexts && !checksTexts && mayHoldUnstorable(json)) refuseUnstorable(body, 'body');
  return body;
}

function parseUnambiguousBody(request: FastifyRequest, json: string): unknown {
  const body = parseBody(request, json);
  const repeated = findRepeatedMember(json);
  if (repeated !== undefined) throw repeatedMember(repeated);
  return body;
}

type Read = (request: FastifyRequest, bytes: Buffer) => unknown;

/** The text of a JSON body. Its encoding is always named: JSON is UTF-8 (RFC 8259 §8.1). */
function jsonText({ headers, routeOptions }: FastifyRequest, bytes: Buffer): string {
  const { 'content-type': type } = headers;
  if (routeOptions.config.repairsTexts === true) return repairedBodyText(bytes, type);
  const encoding = encodingOf(type);
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined) throw jsonError(0, `The body is not ${encoding.toUpperCase()}`);
  return text;
}

/** Reads a JSON body with `parse`; undefined when it is empty, or faulty where none is declared. */
function jsonReader(parse: (request: FastifyRequest, json: string) => unknown): Read {
  return (request, bytes) => {
    try {
      const json = jsonText(request, bytes);
      return json === '' ? undefined : parse(request, json);
    } catch (error) {
      if (error instanceof RequestValidationError && ignoresBody(request)) return undefined;
      throw error;
    }
  };
}

/** Makes a Fastify body parser from `read`, which returns the body or throws. */
function toParser(read: Read) {
  return (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    const settle = async (): Promise<void> => {
      let body: unknown;
      try {
        body = read(request, bytes);
      } catch (error) {
        done(asError(error));
        return;
      }
      done(null, body);
    };
    void (bytes.length < largeBodyBytes ? settle() : request.server.atBodyPace(settle));
  };
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

const readJson = toParser(jsonReader(parseBody));
const readUnambiguousJson = toParser(jsonReader(parseUnambiguousBody));

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

function readUnknown(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (ignoresBody(request) || bytes.length === 0) done(null, undefined);
  else done(requestErrors.unsupported_media_type());
}

const asBytes = { parseAs: 'buffer' } as const;
const jsonTypes = ['application/json', /^application\/[\w.-]+\+json/];

/** A type and a subtype (RFC 9110 §8.3.1), followed by any parameters. */
const wellFormedType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Replaces a malformed content type by `application/octet-stream` (RFC 9110 §8.3), and drops an
 * empty one. Fastify would reject it before it chooses a parser, even on paths without a body,
 * which must ignore any body.
 */
export function nameContentType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json' || wellFormedType.test(type)) return;
  if (type.trim() === '') delete headers['content-type'];
  else headers['content-type'] = 'application/octet-stream';
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
  for (const type of jsonTypes) app.addContentTypeParser(type, asBytes, readJson);
  app.addContentTypeParser('*', asBytes, readUnknown);
}

const formType = 'application/x-www-form-urlencoded';

/**
 * Accepts `application/x-www-form-urlencoded` in this scope, up to 1,000 fields. The plugin's
 * parser knows neither the charset nor how to refuse a text, so the fields are read before they
 * are validated.
 */
export function acceptForms(scope: FastifyInstance): void {
  const unread = new WeakMap<object, string>();
  scope.register(formbody, {
    parser: (text) => {
      const body = {};
      unread.set(body, text);
      return body;
    },
  });
  scope.addHook('preValidation', async (request) => {
    const { body, headers } = request;
    const text = typeof body === 'object' && body !== null ? unread.get(body) : undefined;
    if (text === undefined) return;
    const read = async () => readForm(text, headers['content-type']);
    const isLarge = text.length >= largeBodyBytes;
    request.body = await (isLarge ? request.server.atBodyPace(read) : read());
  });
}

/** Accepts raw bodies of any content type in this scope, for signature checks. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', asBytes, (_request, body, done) => done(null, body));
}

/** Accepts `multipart/form-data` as bytes in this scope, for a form with a file. */
export function acceptFileForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('multipart/form-data', asBytes, (_request, body, done) =>
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
    scope.addContentTypeParser(type, asBytes, readUnambiguousJson);
  }
}

const readText = toParser(({ headers }, bytes) =>
  bytes.length === 0 ? undefined : fileText(bytes, headers['content-type']),
);

/**
 * Accepts bodies of these content types as text in this scope, in the charset that they name, in
 * UTF-16 with a byte order mark, or in UTF-8. Answers 422 to bodies that are not.
 */
export function acceptText(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser([...contentTypes], asBytes, readText);
}

const openingBracket = /^(?:\xef\xbb\xbf)?\s*[{[]/;
const readRepairedJson = jsonReader(parseBody);

/** JSON of a form's type or without a type; anything else stays an unsupported media type. */
const readBeacon = toParser((request, bytes) => {
  const { 'content-type': type } = request.headers;
  const mayBeJson = type === undefined || type.toLowerCase().startsWith(formType);
  if (bytes.length === 0) return undefined;
  if (!mayBeJson || !openingBracket.test(bytes.toString('latin1', 0, 64)))
    throw requestErrors.unsupported_media_type();
  return readRepairedJson(request, bytes);
});

/**
 * Accepts JSON as beacons send it: as `text/plain`, without a content type, or with that of a form.
 * Texts that are not well-formed or not UTF-8 are repaired, because a visitor's browser can't send
 * them again. Call it before adding the scope's routes.
 */
export function acceptBeacons(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, repairsTexts: true };
  });
  scope.removeContentTypeParser(['*', 'text/plain', formType]);
  scope.addContentTypeParser('text/plain', asBytes, readJson);
  scope.addContentTypeParser(formType, asBytes, readBeacon);
  scope.addContentTypeParser('*', asBytes, readBeacon);
}
