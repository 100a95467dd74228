import type { LightMyRequestResponse } from 'fastify';
import { HtmlValidate } from 'html-validate/node';
import type { Role } from '../../../src/lib/access.ts';
import type { TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { openCookie } from '../../support/sign-in.ts';

export const home = '/api/svc/console/';
export const origin = 'http://127.0.0.1:3000';
export const asBrowser = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
};

const urlOf = (path: string): string => (path.startsWith('/') ? path : home + path);

/** Opens pages of the console and sends their forms, by the path below the console. */
export function consoleClient(app: TestApp, headers: Record<string, string>) {
  const client = new TestClient(app).as(headers);
  return {
    page: (path: string) => client.page(urlOf(path)),
    form: (path: string, values: Record<string, string | readonly string[]>) =>
      client.form(urlOf(path), values),
  };
}
export type ConsoleClient = ReturnType<typeof consoleClient>;

/** Signs in a user with roles as a browser does. Returns the headers of their requests. */
export async function personOf(
  app: TestApp,
  email: string,
  roles: readonly Role[] = [],
): Promise<{ userId: string; headers: Record<string, string>; console: ConsoleClient }> {
  const { userId } = await openCookie(app, email);
  await app.services.users.setRoles(userId, roles);
  const { headers } = await openCookie(app, email);
  return { userId, headers: { ...headers, ...asBrowser }, console: consoleClient(app, headers) };
}

export const look = (
  app: TestApp,
  path: string,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> => app.http.inject({ url: urlOf(path), headers });

/** Submits a form from a page of this origin. */
export function submit(
  app: TestApp,
  path: string,
  values: Record<string, string | readonly string[]>,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> {
  const body = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  );
  return app.http.inject({
    method: 'POST',
    url: home + path,
    payload: body.toString(),
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      host: '127.0.0.1:3000',
      'sec-fetch-site': 'same-origin',
    },
  });
}

/** Returns the HTML validation errors of a page, one per line. */
export async function faultsOf(page: string): Promise<string[]> {
  const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'doctype-style': 'off',
      'valid-id': ['error', { relaxed: true }],
      'no-redundant-role': 'off',
      'prefer-native-element': 'off',
    },
  });
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
  );
}

/** Returns every route of the console, with an id in place of parameters. */
export function consoleRoutes(app: TestApp): { method: string; url: string; isForm: boolean }[] {
  const id = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
  return app.http.registeredRoutes
    .filter(({ url }) => url.startsWith('/api/svc/console'))
    .flatMap(({ method, url }) =>
      [method]
        .flat()
        .filter((each) => each !== 'HEAD')
        .map((each) => ({ method: each, url: url.replace(/:\w+/g, id), isForm: each !== 'GET' })),
    );
}
