import type { TestApp } from '../../support/app.ts';
import type { FakeProvider, Subject } from './fake-provider.ts';

export interface Ended {
  status: number;
  body: Record<string, unknown>;
  /** The value of the session cookie; undefined when none was set. */
  session: string | undefined;
  location: string | undefined;
}

const cookiesOf = (header: string | string[] | undefined): string[] => [header ?? []].flat();

/** Begins a sign-in as a browser does. Returns the URL at the provider, and the cookie. */
export async function begin(
  app: TestApp,
  query = '',
  headers: Record<string, string> = {},
): Promise<{ url: string; state: string; cookie: string }> {
  const response = await app.http.inject({ url: `/api/auth/idp/start${query}`, headers });
  const { authorization_url: url, state } = response.json<{
    authorization_url: string;
    state: string;
  }>();
  return { url, state, cookie: cookiesOf(response.headers['set-cookie'])[0]?.split(';')[0] ?? '' };
}

export async function end(
  app: TestApp,
  query: URLSearchParams | string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<Ended> {
  const response = await app.http.inject({
    url: `/api/auth/idp/callback?${query.toString()}`,
    headers: { cookie, ...headers },
  });
  const session = cookiesOf(response.headers['set-cookie']).find((each) =>
    each.startsWith('svc_session='),
  );
  const { location } = response.headers;
  return {
    status: response.statusCode,
    body: response.body === '' ? {} : response.json(),
    session: session === undefined ? undefined : /=([^;]*)/.exec(session)?.[1],
    location,
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

export async function me(
  app: TestApp,
  session: string | undefined,
): Promise<Record<string, unknown>> {
  const response = await app.http.inject({
    url: '/api/auth/me',
    headers: { cookie: `svc_session=${session ?? ''}` },
  });
  return response.json();
}
