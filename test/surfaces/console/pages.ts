import type { Role } from '../../../src/lib/access.ts';
import type { TestApp } from '../../support/app.ts';
import { type RequestOptions, TestClient, type TestResponse } from '../../support/client.ts';
import { htmlFaults } from '../../support/html-faults.ts';
import { openCookie } from '../../support/sign-in.ts';

export const home = '/api/svc/console/';
export const origin = 'http://127.0.0.1:3000';
/** An id of nothing. */
export const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

type Headers = Record<string, string>;
type FormValues = Record<string, string | readonly string[]>;

export interface ConsoleClient {
  /** Opens a page as a browser does, by its path below the console. */
  page: (path: string, options?: RequestOptions) => Promise<TestResponse>;
  /** Submits a form of a page as a browser does. */
  form: (path: string, values?: FormValues, options?: RequestOptions) => Promise<TestResponse>;
}

const urlOf = (path: string): string => (path.startsWith('/') ? path : home + path);

export function consoleClient(app: TestApp, headers: Headers): ConsoleClient {
  const client = new TestClient(app).as(headers);
  return {
    page: (path, options) => client.page(urlOf(path), options),
    form: (path, values = {}, options) => client.form(urlOf(path), values, options),
  };
}

export interface Person extends ConsoleClient {
  userId: string;
  /** The session cookie. */
  headers: Headers;
  /** Sends requests as a program with the session's cookie. */
  program: TestClient;
}

/** Signs in a user with roles as a browser does. */
export async function personOf(
  app: TestApp,
  email: string,
  roles: readonly Role[] = [],
): Promise<Person> {
  const { userId } = await openCookie(app, email);
  await app.services.users.setRoles(userId, roles);
  const { headers } = await openCookie(app, email);
  const program = new TestClient(app).as(headers);
  return { userId, headers, program, ...consoleClient(app, headers) };
}

/** Signs in a user whose device requests approval. */
export async function requestApproval(app: TestApp, email: string, name: string) {
  const person = await personOf(app, email);
  const { body } = await person.program.post<Record<'request_id' | 'device_id' | 'number', string>>(
    '/api/auth/blackops/request-clearance',
    { fingerprint: email, device_name: name },
    { headers: { origin: app.services.baseOrigin, 'sec-fetch-site': 'same-origin' } },
  );
  return { person, request: body.request_id, device: body.device_id, number: body.number };
}

export const deviceState = async (app: TestApp, device: string) =>
  (await app.services.devices.management.get(device, 'all')).state;

/** Returns the HTML validation errors of a page, one per line. */
export const faultsOf = (page: string): Promise<string[]> =>
  htmlFaults(page, {
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    'doctype-style': 'off',
    'valid-id': ['error', { relaxed: true }],
    'no-redundant-role': 'off',
    'prefer-native-element': 'off',
  });

/** Returns the HTML validation errors of pages of the console, with their paths. */
export async function faultsAt(client: ConsoleClient, paths: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const path of paths)
    for (const fault of await faultsOf((await client.page(path)).text))
      faults.push(`${path}: ${fault}`);
  return faults;
}

/** Returns every route of the console, with an id in place of parameters. */
export function consoleRoutes(app: TestApp): { method: string; url: string; isForm: boolean }[] {
  return app.http.registeredRoutes
    .filter(({ url }) => url.startsWith('/api/svc/console'))
    .flatMap(({ method, url }) =>
      [method]
        .flat()
        .filter((each) => each !== 'HEAD')
        .map((each) => ({
          method: each,
          url: url.replace(/:\w+/g, unknownId),
          isForm: each !== 'GET',
        })),
    );
}
