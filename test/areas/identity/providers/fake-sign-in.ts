import { afterAll, expect } from 'vitest';
import { freshApp, type FreshApp, type TestApp } from '../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { type FakeProvider, startFakeProvider, type Subject } from './fake-provider.ts';
import { traces } from './idp-app.ts';
import { client } from './real-provider.ts';

export const providerEnv = (issuer: string) => ({
  IDP_ISSUER: issuer,
  IDP_CLIENT_ID: client.id,
  IDP_CLIENT_SECRET: client.secret,
});

export interface Ended extends TestResponse {
  /** The value of the session cookie; undefined when none was set. */
  session: string | undefined;
  location: string | undefined;
}

const cookiesOf = ({ headers }: TestResponse): string[] => [headers['set-cookie'] ?? []].flat();
const single = (value: string | string[] | undefined) => [value ?? []].flat()[0];

/** Begins a sign-in as a browser does. Returns the URL at the provider, and the cookie. */
export async function begin(
  app: TestApp,
  query = '',
  headers: Record<string, string> = {},
): Promise<{ url: string; state: string; cookie: string }> {
  const response = await new TestClient(app).get<{ authorization_url: string; state: string }>(
    `/api/auth/idp/start${query}`,
    { headers },
  );
  const { authorization_url: url, state } = response.body;
  const [cookie = ''] = [response.headers['set-cookie'] ?? []].flat();
  return { url, state, cookie: cookie.split(';')[0] ?? '' };
}

export async function end(
  app: TestApp,
  query: URLSearchParams | string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<Ended> {
  const response = await new TestClient(app).get(`/api/auth/idp/callback?${query.toString()}`, {
    headers: { cookie, ...headers },
  });
  const session = cookiesOf(response).find((line) => line.startsWith('svc_session='));
  return {
    ...response,
    session: session === undefined ? undefined : /=([^;]*)/.exec(session)?.[1],
    location: single(response.headers.location),
  };
}

/** A complete sign-in of a user of the provider. */
export async function signInAs(
  app: TestApp,
  provider: FakeProvider,
  subject: Subject,
): Promise<Ended> {
  provider.scene.subject = subject;
  const { url, cookie } = await begin(app);
  return end(app, provider.authorize(url), cookie);
}

export const me = async (
  app: TestApp,
  session: string | undefined,
): Promise<Record<string, unknown>> =>
  (
    await new TestClient(app).get('/api/auth/me', {
      headers: { cookie: `svc_session=${session ?? ''}` },
    })
  ).body;

/** Expects a refused sign-in, which leaves no session and no user. */
async function expectRefused(
  app: FreshApp,
  act: () => Promise<Ended>,
  status: number,
  code: string,
): Promise<Ended> {
  const before = await traces(app);
  const ended = await act();
  expect(ended).toBeProblem(status, code);
  expect(ended).toMatchObject({ session: undefined, location: undefined });
  expect(await traces(app)).toEqual(before);
  return ended;
}

/** Gives a file an app with a fake provider. Call it at the top. */
export async function useFakeProvider(env: Record<string, string> = {}) {
  const provider = await startFakeProvider();
  const app = await freshApp({ env: { ...providerEnv(provider.issuer), ...env } });
  await app.services.queues.start();
  afterAll(async () => {
    await app.close();
    await provider.close();
  });
  return {
    app,
    provider,
    begin: (query?: string, headers?: Record<string, string>) => begin(app, query, headers),
    end: (query: URLSearchParams | string, cookie: string, headers?: Record<string, string>) =>
      end(app, query, cookie, headers),
    signInAs: (subject: Subject) => signInAs(app, provider, subject),
    /** Signs in a user whose address the provider has verified. */
    signInWith: (sub: string, email: string, name?: string) =>
      signInAs(app, provider, {
        sub,
        email,
        email_verified: true,
        ...(name === undefined ? {} : { name }),
      }),
    me: ({ session }: Ended) => me(app, session),
    expectRefused: (act: () => Promise<Ended>, status: number, code: string) =>
      expectRefused(app, act, status, code),
  };
}
