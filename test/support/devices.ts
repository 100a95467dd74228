import { createHash, randomUUID } from 'node:crypto';
import * as DPoP from 'dpop';
import { exportJWK, SignJWT } from 'jose';
import type { Role } from '../../src/lib/access.ts';
import { asAdmin, type TestApp } from './app.ts';
import { type Answer, post } from './sign-in.ts';
import { answerOf, inventory } from './abuse.ts';

export const chromeOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, ' +
  'like Gecko) Chrome/130.0.0.0 Safari/537.36';
export const firefoxOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

/** Addresses whose countries are known. */
export const places = { us: '8.8.8.8', de: '46.4.0.1', jp: '202.12.27.33', none: '203.0.113.9' };

/** How a session is opened. */
export interface SignInAs {
  email: string;
  roles?: readonly Role[];
  acr?: 'aal1' | 'aal2';
  amr?: readonly string[];
  /** Default: now. */
  at?: number;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  body?: unknown;
  /** In place of `body`: as it is. */
  raw?: string;
  headers?: Record<string, string>;
  /** Whether the browser's key proves the request. Default: when it has one. */
  prove?: boolean;
}

/** What goes into a proof that is made by hand. `claims` replace what would be right. */
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

/** A proof as the official client makes it, at any time and with any fault. */
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

function keep(jar: Jar, header: unknown): void {
  for (const line of [header ?? []].flat().map(String)) {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** A browser without a window: its cookies, its key, where it is. */
export function createDeviceBrowser(
  app: TestApp,
  {
    userAgent = chromeOnMac,
    address = places.none,
    now = Date.now,
  }: { userAgent?: string; address?: string; now?: () => number } = {},
) {
  const jar: Jar = new Map();
  const self = {
    jar,
    userAgent,
    address,
    keys: undefined as DPoP.KeyPair | undefined,
    nonce: undefined as string | undefined,
    userId: '',
  };

  async function signIn({
    email,
    roles = [],
    acr = 'aal1',
    amr = ['otp'],
    at = now(),
  }: SignInAs): Promise<string> {
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
    self.userId = user.id;
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
  ): Promise<Answer> {
    const proof = prove ? await proofFor(method, url) : {};
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await app.http.inject({
      method,
      url,
      remoteAddress: self.address,
      ...(payload === undefined ? {} : { payload }),
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
    keep(jar, answer.headers['set-cookie']);
    if (typeof answer.headers['dpop-nonce'] === 'string') self.nonce = answer.headers['dpop-nonce'];
    const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
    return isJson
      ? answerOf(answer)
      : { status: answer.statusCode, headers: answer.headers, body: { text: answer.body } };
  }

  /** Calls, and once more with the nonce when that is what was missing. */
  async function call(url: string, options: CallOptions = {}): Promise<Answer> {
    const first = await send(url, options);
    return first.body.code === 'blackops.use_dpop_nonce' ? send(url, options) : first;
  }

  return {
    ...self,
    self,
    jar,
    signIn,
    send,
    call,
    proofFor,
    /** From now on it has a key that it proves. */
    async makeKey(): Promise<void> {
      self.keys = await DPoP.generateKeyPair('ES256');
    },
    status: (body: Record<string, unknown> = {}) =>
      call(`${mount}/status`, { method: 'POST', body: { fingerprint: 'print', ...body } }),
    ask: (body: Record<string, unknown> = {}) =>
      call(`${mount}/request-clearance`, {
        method: 'POST',
        body: { fingerprint: 'print', ...body },
      }),
    approve: (request: unknown, number: unknown) =>
      call(`${mount}/requests/${String(request)}/approve`, { method: 'POST', body: { number } }),
    deny: (request: unknown) =>
      call(`${mount}/requests/${String(request)}/deny`, { method: 'POST', body: {} }),
    /** What only a cleared device of an admin may see. */
    console: () => call(`${mount}/dashboard`),
    revoke: (body: Record<string, unknown>) => call(`${mount}/devices`, { method: 'DELETE', body }),
  };
}

export type DeviceBrowser = ReturnType<typeof createDeviceBrowser>;

/** Clears a device without anybody's decision, with the key that stands in the environment. */
export async function clearByKey(
  app: TestApp,
  asked: Answer,
  authorization: string,
): Promise<Answer> {
  return post(
    app,
    `${mount}/requests/${String(asked.body.request_id)}/approve`,
    { number: asked.body.number },
    { authorization },
  );
}

/**
 * Somebody else's browser with cookies that were copied from `owner`, all of them unless named. It
 * has no key.
 */
export function copyOf(
  app: TestApp,
  owner: DeviceBrowser,
  {
    cookies = [...owner.jar.keys()],
    ...where
  }: { cookies?: readonly string[]; userAgent?: string; address?: string; now?: () => number } = {},
): DeviceBrowser {
  const thief = createDeviceBrowser(app, where);
  for (const name of cookies) thief.jar.set(name, owner.jar.get(name) ?? '');
  return thief;
}

export interface Cleared {
  browser: DeviceBrowser;
  deviceId: string;
  sessionId: string;
}

/** A person on a cleared device: an admin unless told, with a key when asked for. */
export async function clearedOn(
  app: TestApp,
  who: SignInAs,
  {
    hasKey = false,
    ...where
  }: { hasKey?: boolean; userAgent?: string; address?: string; now?: () => number } = {},
): Promise<Cleared> {
  const browser = createDeviceBrowser(app, where);
  if (hasKey) await browser.makeKey();
  const sessionId = await browser.signIn({ roles: ['admin'], ...who });
  const asked = await browser.ask();
  const answer =
    asked.body.state === 'cleared' ? asked : await clearByKey(app, asked, asAdmin.authorization);
  if (answer.status !== 200)
    throw new Error(`not cleared: ${JSON.stringify([asked.body, answer.body])}`);
  return { browser, deviceId: String(asked.body.device_id), sessionId };
}

/**
 * What must not change when nothing may happen: devices, requests, entries of the audit log about
 * them, sessions.
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

/** A device as it is stored. */
export const storedDevice = (app: TestApp, id: unknown) =>
  app.stores.db
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow();

/** What the audit log has of a device, oldest first. */
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
