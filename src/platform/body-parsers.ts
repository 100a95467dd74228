import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { findJsonSyntaxError } from '../lib/json-syntax.ts';
import { findRepeatedMember, type JsonPath } from '../lib/repeated-members.ts';
import { requestErrors } from './errors.ts';
import { RequestValidationError } from './validation-error.ts';

type Done = (error: Error | null, body?: unknown) => void;

const shownDepth = 16;
const shownName = 64;

function withoutPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value;
}

/** JSON.parse, except that no member called `__proto__` comes out of it. Throws what JSON.parse throws. */
function parseJson(text: string): unknown {
  const suspicious = text.includes('__proto__') || text.includes('\\u00');
  return suspicious ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
}

/** FastAPI's error for a body that is not JSON; the text itself is not repeated. */
function jsonInvalid(text: string): RequestValidationError {
  const { offset, message } = findJsonSyntaxError(text) ?? { offset: 0, message: 'Nested too deeply' };
  return new RequestValidationError([
    { type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: { error: message } },
  ]);
}

/** Nobody reads the body of a route that declares none: as in FastAPI, it cannot make the request fail. */
function ignoresBody(request: FastifyRequest): boolean {
  return request.is404 || request.routeOptions.schema?.body === undefined;
}

function readJson(request: FastifyRequest, text: string, done: Done): void {
  if (text === '') {
    done(null, undefined);
    return;
  }
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let body: unknown;
  try {
    body = parseJson(json);
  } catch {
    if (ignoresBody(request)) done(null, undefined);
    else done(jsonInvalid(json));
    return;
  }
  done(null, body);
}

/** The names in it are the client's: few and short ones are repeated to it. */
function shownPath(path: JsonPath): JsonPath {
  const end = path.findIndex((step, depth) => depth >= shownDepth || (typeof step === 'string' && step.length > shownName));
  return end === -1 ? path : path.slice(0, end);
}

function repeatedMember(path: JsonPath): RequestValidationError {
  return new RequestValidationError([
    { type: 'value_error', loc: ['body', ...shownPath(path)], msg: 'Value error, given more than once', input: null, ctx: { error: {} } },
  ]);
}

function readUnambiguousJson(request: FastifyRequest, text: string, done: Done): void {
  readJson(request, text, (error, body) => {
    const repeated = error !== null || ignoresBody(request) ? undefined : findRepeatedMember(text);
    if (repeated === undefined) done(error, body);
    else done(repeatedMember(repeated));
  });
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
 * Gives a content type that cannot be read the name of unknown bytes (RFC 9110 §8.3). Fastify would refuse it before it
 * asks for a parser, also on paths that read no body: those ignore what comes, whatever it is called.
 */
export function nameContentType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json' || wellFormedType.test(type)) return;
  headers['content-type'] = 'application/octet-stream';
}

/**
 * How bodies are read: JSON (`application/json` and `…+json`) is parsed, an empty body is `undefined`, and a body of any
 * other content type, or of none, is 415. It is never taken for JSON, so that a foreign page, which may send text and
 * forms without asking, cannot send some. Scopes may read further types.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of jsonTypes) app.addContentTypeParser(type, asText, readJson);
  app.addContentTypeParser('*', asText, readUnknown);
}

/** Lets the routes of this scope read `application/x-www-form-urlencoded` bodies as objects of strings. */
export function acceptForms(scope: FastifyInstance): void {
  scope.register(formbody);
}

/** Gives the routes of this scope every body as the bytes that came, whatever its content type: a signature is over them. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * Refuses JSON bodies in which an object has a member twice, for the routes of this scope and the scopes inside it: 422.
 * What is checked on the way in, by a proxy for instance, could else be the one, and what counts here the other.
 */
export function refuseRepeatedMembers(scope: FastifyInstance): void {
  for (const type of jsonTypes) {
    scope.removeContentTypeParser(type);
    scope.addContentTypeParser(type, asText, readUnambiguousJson);
  }
}

/** Gives the routes of this scope bodies of these content types as text. */
export function acceptText(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser([...contentTypes], asText, (_request, text, done) => done(null, text === '' ? undefined : text));
}

/** Lets the routes of this scope read JSON under further content types, such as the `text/plain` of beacons. */
export function acceptJsonAs(scope: FastifyInstance, contentTypes: readonly string[]): void {
  scope.addContentTypeParser([...contentTypes], asText, readJson);
}
