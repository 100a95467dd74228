import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { codeFor } from '../../support/sign-in.ts';

/** The origin of the pages of a test app. */
export const origin = 'http://127.0.0.1:3000';

type Headers = Record<string, string>;

/** Sends a form as a browser does. */
export function submit(
  app: TestApp,
  url: string,
  values: Record<string, string>,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  return app.http.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(values).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      ...headers,
    },
  });
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
export const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

/** The hidden values of the first form with this action. */
export function carriedBy(page: string, action: string): Record<string, string> {
  const form =
    new RegExp(`<form [^>]*action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(page)?.[1] ?? '';
  const inputs = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

export const titleOf = (page: string): string =>
  unescaped(/<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '').replace(' – Platform Service', '');

/** The accessible description of an input. */
export function describedBy(page: string, name: string): string {
  const input = new RegExp(`<input [^>]*id="${name}"[^>]*>`).exec(page)?.[0] ?? '';
  const ids = / aria-describedby="([^"]*)"/.exec(input)?.[1] ?? '';
  const textOf = (id: string) => new RegExp(`id="${id}">(.*?)</p>`).exec(page)?.[1] ?? '(missing)';
  return ids
    .split(' ')
    .map((id) => unescaped(textOf(id).replace(/<[^>]*>/g, '')))
    .join(' | ');
}

/** The Set-Cookie header of the session cookie. */
export const sessionHeader = (answer: LightMyRequestResponse): string =>
  [answer.headers['set-cookie']].flat().find((each) => each?.startsWith('svc_session=')) ?? '';

/** The cookie that a response sets, for the next request. */
export const cookieOf = (answer: LightMyRequestResponse): Headers => ({
  cookie: sessionHeader(answer).split(';')[0] ?? '',
});

/** Requests a code and enters it; returns the response. */
export async function signIn(
  app: TestApp,
  identifier: string,
  { next = '', headers = {} }: { next?: string; headers?: Headers } = {},
): Promise<LightMyRequestResponse> {
  const after = app.services.outbox.list(identifier).length;
  const sent = await submit(app, '/login', { identifier, next }, headers);
  expect({ status: sent.statusCode, title: titleOf(sent.body) }).toEqual({
    status: 200,
    title: 'Enter your code',
  });
  return submit(
    app,
    '/login/code',
    { ...carriedBy(sent.body, '/login/code'), code: await codeFor(app, identifier, { after }) },
    headers,
  );
}

/** The email of the user with these headers; undefined when not signed in. */
export async function whoIs(app: TestApp, headers: Headers): Promise<string | undefined> {
  const answer = await app.http.inject({ url: '/api/auth/me', headers });
  return answer.statusCode === 200 ? answer.json<{ email: string }>().email : undefined;
}
