import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { openCookie } from '../../support/sign-in.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';

/** The origin of the pages of a test app. */
export const origin = 'http://127.0.0.1:3000';

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
export function hiddenFieldsOf(page: string, action: string): Record<string, string> {
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

/** A page with this status and title, to compare a response with. */
export const titled = (status: number, title: string) => ({
  status,
  text: expect.stringContaining(`<title>${title} – Platform Service</title>`) as string,
});

/** The Set-Cookie header of the session cookie. */
export const sessionHeader = ({ headers }: { headers: object }): string => {
  const cookies = 'set-cookie' in headers ? [headers['set-cookie']].flat() : [];
  return cookies.map(String).find((each) => each.startsWith('svc_session=')) ?? '';
};

/** The client that has the session cookie of a response. */
export const clientAfter = (app: TestApp, response: TestResponse): TestClient =>
  new TestClient(app).as({ cookie: sessionHeader(response).split(';')[0] ?? '' });

/** Opens a session without a code, begun at `begun` (Unix ms). Returns the client that has it. */
export const signedIn = async (app: TestApp, email: string, begun?: number): Promise<TestClient> =>
  new TestClient(app).as((await openCookie(app, email, begun)).headers);

/** Requests a code and enters it; returns the response. */
export async function signIn(
  client: TestClient,
  identifier: string,
  next = '',
): Promise<TestResponse> {
  const after = client.outbox(identifier).length;
  const sent = await client.form('/login', { identifier, next });
  expect(sent).toMatchObject(titled(200, 'Enter your code'));
  return client.form('/login/code', {
    ...hiddenFieldsOf(sent.text, '/login/code'),
    code: await codeIn(client, identifier, after),
  });
}

/** Waits for a message beyond the first `after`. Returns its code. */
export async function codeIn(client: TestClient, to: string, after = 0): Promise<string> {
  return /\b(\d{6})\b/.exec((await client.mailTo(to, { after })).text)?.[1] ?? '';
}

/** The email of a client's user; undefined when not signed in. */
export async function whoIs(client: TestClient): Promise<string | undefined> {
  const { status, body } = await client.get<{ email: string }>('/api/auth/me');
  return status === 200 ? body.email : undefined;
}
