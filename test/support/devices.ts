import { createHash, randomUUID } from 'node:crypto';
import * as DPoP from 'dpop';
import { exportJWK, SignJWT } from 'jose';
import type { Role } from '../../src/lib/access.ts';
import { asAdmin, type TestApp } from './app.ts';
import type { Answer } from './sign-in.ts';
import { inventory } from './abuse.ts';
import { TestClient, type TestResponse } from './client.ts';

export const chromeOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, ' +
  'like Gecko) Chrome/130.0.0.0 Safari/537.36';
export const firefoxOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

/** IP addresses by the country they resolve to. */
export const places = { us: '8.8.8.8', de: '46.4.0.1', jp: '202.12.27.33', none: '203.0.113.9' };

/** The user of a session, and how the session is opened. */
export interface SignInAs {
  email: string;
  roles?: readonly Role[];
  acr?: 'aal1' | 'aal2';
  amr?: readonly string[];
  /** When the sign-in began, Unix ms. Default: now. */
  at?: number;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  body?: unknown;
  /** Replaces `body`; sent as it is. */
  raw?: string;
  headers?: Record<string, string>;
  /** Whether to send a DPoP proof. Default: true, if the browser has a key. */
  prove?: boolean;
}

/** The contents of a handmade DPoP proof. `claims` override the correct values. */
export interface ProofParts {
  keys: DPoP.KeyPair;
  url: string;
  method: string;
  nonce: string | undefined;
  accessToken?: string | undefined;
  /** Unix ms. */
  at: number;
  claims?: Record<string, unknown>;
}

/** Signs a DPoP proof as the official client does, for any time and with any fault. */
export async function signProof({
  keys,
  url,
  method,
  nonce,
  accessToken,
  at,
  claims = {},
}: ProofParts): Promise<string> {
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(keys.publicKey);
  const ath =
    accessToken === undefined
      ? {}
      : { ath: createHash('sha256').update(accessToken).digest('base64url') };
  const content = {
    jti: randomUUID(),
    iat: Math.floor(at / 1000),
    htm: method,
    htu: `http://localhost:80${url.split('?', 1).join('')}`,
    nonce,
    ...ath,
    ...claims,
  };
  return new SignJWT(content)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })
    .sign(keys.privateKey);
}

type Jar = Map<string, string>;
export const mount = '/api/auth/blackops';

function storeCookies(jar: Jar, header: unknown): void {
  for (const line of [header ?? []].flat().map(String)) {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** Creates a simulated browser: its cookies, its key, its User-Agent and its IP address. */
export function createDeviceBrowser(
  app: TestApp,
  {
    userAgent = chromeOnMac,
    address = places.none,
    now = Date.now,
  }: { userAgent?: string; address?: string; now?: () => number } = {},
) {
  const client = new TestClient(app);
  const jar: Jar = new Map();
  const self = {
    jar,
    userAgent,
    address,
    keys: undefined as DPoP.KeyPair | undefined,
    nonce: undefined as string | undefined,
    email: '',
    userId: '',
  };

  /** Without an email address, the user of the last sign-in. */
  async function signIn({
    email = self.email,
    roles = [],
    acr = 'aal1',
    amr = ['otp'],
    at = now(),
  }: Partial<SignInAs> = {}): Promise<string> {
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    if (roles.length > 0) await app.services.users.setRoles(user.id, roles);
    const { cookie, sessionId } = await app.services.sessions.openCookie(user, {
      amr,
      acr,
      begun: at,
      client: 'Chrome on macOS',
    });
    jar.set('svc_session', cookie);
    await app.services.bindDevice(user.id, sessionId, cookieHeader());
    Object.assign(self, { email, userId: user.id });
    return sessionId;
  }

  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function proofFor(method: string, url: string): Promise<Record<string, string>> {
    if (self.keys === undefined) return {};
    // The official client takes the time from `Date`.
    if (now !== Date.now)
      return {
        dpop: await signProof({ keys: self.keys, url, method, nonce: self.nonce, at: now() }),
      };
    return {
      dpop: await DPoP.generateProof(
        self.keys,
        `http://localhost:80${url.split('?', 1).join('')}`,
        method,
        self.nonce,
      ),
    };
  }

  async function send(
    url: string,
    { method = 'GET', body, raw, headers = {}, prove = true }: CallOptions = {},
  ): Promise<TestResponse> {
    const proof = prove ? await proofFor(method, url) : {};
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await client.send(method, url, payload, {
      from: self.address,
      headers: {
        host: 'localhost:80',
        origin: 'http://localhost:80',
        'user-agent': self.userAgent,
        ...(jar.size === 0 ? {} : { cookie: cookieHeader() }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...proof,
        ...headers,
      },
    });
    storeCookies(jar, response.headers['set-cookie']);
    const nonce = response.headers['dpop-nonce'];
    if (typeof nonce === 'string') self.nonce = nonce;
    return response;
  }

  /** Sends the request, and repeats it with the nonce if the service demands one. */
  async function call(url: string, options: CallOptions = {}): Promise<TestResponse> {
    const first = await send(url, options);
    return first.body.code === 'blackops.use_dpop_nonce' ? send(url, options) : first;
  }

  const post = (url: string, body: unknown = {}, options: CallOptions = {}) =>
    call(url, { method: 'POST', body, ...options });

  return {
    ...self,
    self,
    jar,
    signIn,
    send,
    call,
    proofFor,
    /** Generates a key. Later requests prove it. */
    async makeKey(): Promise<void> {
      self.keys = await DPoP.generateKeyPair('ES256');
    },
    post,
    status: (body: Record<string, unknown> = {}) =>
      post(`${mount}/status`, { fingerprint: 'print', ...body }),
    ask: (body: Record<string, unknown> = {}) =>
      post(`${mount}/request-clearance`, { fingerprint: 'print', ...body }),
    approve: (request: unknown, number: unknown) =>
      post(`${mount}/requests/${String(request)}/approve`, { number }),
    deny: (request: unknown) => post(`${mount}/requests/${String(request)}/deny`),
    suspend: (device: unknown) =>
      call(`${mount}/devices/${String(device)}/suspend`, { method: 'POST' }),
    restore: (device: unknown, options: CallOptions = {}) =>
      call(`${mount}/devices/${String(device)}/restore`, { method: 'POST', ...options }),
    rename: (device: unknown, name: unknown) =>
      call(`${mount}/devices/${String(device)}`, { method: 'PATCH', body: { device_name: name } }),
    /** Requests a page that only approved devices of admins may see. */
    console: () => call(`${mount}/dashboard`),
    revoke: (body: Record<string, unknown>) => call(`${mount}/devices`, { method: 'DELETE', body }),
  };
}

export type DeviceBrowser = ReturnType<typeof createDeviceBrowser>;

/** Approves a device with the admin key from the environment instead of an admin's session. */
export const clearByKey = (
  app: TestApp,
  { body }: Answer,
  authorization: string,
): Promise<TestResponse> =>
  new TestClient(app)
    .as({ authorization })
    .post(`${mount}/requests/${String(body.request_id)}/approve`, { number: body.number });

/**
 * Creates a thief's browser, with cookies copied from `owner` (default: all of them) and without a
 * key.
 */
export function copyOf(
  app: TestApp,
  owner: DeviceBrowser,
  {
    cookies = [...owner.jar.keys()],
    ...options
  }: { cookies?: readonly string[]; userAgent?: string; address?: string; now?: () => number } = {},
): DeviceBrowser {
  const thief = createDeviceBrowser(app, options);
  for (const name of cookies) thief.jar.set(name, owner.jar.get(name) ?? '');
  return thief;
}

export interface Cleared {
  browser: DeviceBrowser;
  deviceId: string;
  sessionId: string;
}

/** Signs a user in on an approved device: as an admin by default, with a key if `hasKey`. */
export async function clearedOn(
  app: TestApp,
  user: SignInAs,
  {
    hasKey = false,
    ...options
  }: { hasKey?: boolean; userAgent?: string; address?: string; now?: () => number } = {},
): Promise<Cleared> {
  const browser = createDeviceBrowser(app, options);
  if (hasKey) await browser.makeKey();
  const sessionId = await browser.signIn({ roles: ['admin'], ...user });
  const request = await browser.ask();
  const answer =
    request.body.state === 'cleared'
      ? request
      : await clearByKey(app, request, asAdmin.authorization);
  if (answer.status !== 200)
    throw new Error(`not cleared: ${JSON.stringify([request.body, answer.body])}`);
  return { browser, deviceId: String(request.body.device_id), sessionId };
}

/**
 * Returns all devices and approval requests, and counts sessions and audit log entries of devices.
 * A test that expects no effect compares the results before and after.
 */
export async function deviceInventory(app: TestApp) {
  const { db } = app.stores;
  return {
    devices: await db
      .selectFrom('devices')
      .select(['id', 'user_id', 'state', 'name', 'jkt', 'passkey_id', 'reasons'])
      .orderBy('id')
      .execute(),
    requests: await db
      .selectFrom('clearance_requests')
      .select(['id', 'device_id', 'state', 'wrong_numbers', 'decided_by'])
      .orderBy('id')
      .execute(),
    entries: (
      await db.selectFrom('audit_events').select('id').where('action', 'like', 'device.%').execute()
    ).length,
    sessions: (await inventory(app)).sessions,
  };
}

/** Returns the stored row of a device. Throws if there is none. */
export const storedDevice = (app: TestApp, id: unknown) =>
  app.stores.db
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow();

/** Returns the audit log entries of a device, oldest first. */
export async function entriesOf(app: TestApp, deviceId: unknown) {
  const rows = await app.stores.db
    .selectFrom('audit_events')
    .select(['action', 'reason', 'actor_kind', 'actor_id', 'details', 'outcome'])
    .where('target_id', '=', String(deviceId))
    .orderBy('id')
    .execute();
  return rows.map(({ action, reason, actor_kind: by, actor_id: byId, details, outcome }) => ({
    action,
    reason,
    by,
    byId,
    outcome,
    details,
  }));
}
