import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { TestResponse } from './client.ts';

interface Problem {
  status: number;
  type: string;
  body: Record<string, unknown>;
  text: string;
}

/** Reads a response of a test client or of `inject`. */
function readProblem(received: unknown): Problem {
  const response = received as TestResponse | LightMyRequestResponse;
  const isRaw = 'statusCode' in response;
  const text = isRaw ? response.body : response.text;
  const type = String(response.headers['content-type'] ?? '').replace(/;.*/, '');
  return {
    status: isRaw ? response.statusCode : response.status,
    type,
    body: type.endsWith('json') ? (JSON.parse(text) as Record<string, unknown>) : {},
    text,
  };
}

expect.extend({
  /**
   * Passes for an RFC 9457 problem document with this status and code. It checks the whole shape,
   * so a test need not.
   */
  toBeProblem(received: unknown, status: number, code: string) {
    const { status: actualStatus, type, body, text } = readProblem(received);
    const actual = {
      status: actualStatus,
      contentType: type,
      code: body.code,
      statusMember: body.status,
      detail: typeof body.detail,
      requestId: typeof body.request_id,
    };
    const expected = {
      status,
      contentType: 'application/problem+json',
      code,
      statusMember: status,
      detail: 'string',
      requestId: 'string',
    };
    return {
      pass: this.equals(actual, expected),
      message: () => `expected the problem ${code}, received ${text.slice(0, 500)}`,
      actual,
      expected,
    };
  },

  /**
   * Passes for a 422 in FastAPI's shape whose errors are at these places, in any order, such as
   * `'body.email'`.
   */
  toBeInvalid(received: unknown, ...places: string[]) {
    const { status, type, body, text } = readProblem(received);
    const detail = Array.isArray(body.detail) ? (body.detail as { loc: unknown[] }[]) : [];
    const actual = {
      status,
      contentType: type,
      places: detail.map(({ loc }) => loc.join('.')).sort(),
    };
    const expected = {
      status: 422,
      contentType: 'application/json',
      places: [...places].sort(),
    };
    return {
      pass: this.equals(actual, expected),
      message: () => `expected errors at ${places.join(', ')}, received ${text.slice(0, 500)}`,
      actual,
      expected,
    };
  },
});

declare module 'vitest' {
  // eslint-disable-next-line typescript/no-explicit-any -- Merges with vitest's declaration.
  interface Matchers<T = any> {
    toBeProblem: (status: number, code: string) => T;
    toBeInvalid: (...places: string[]) => T;
  }
}
