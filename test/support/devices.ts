import * as DPoP from 'dpop';
import type { Role } from '../../src/platform/identity.ts';
import type { TestApp } from './app.ts';
import { type Answer, post } from './sign-in.ts';
import { answerOf } from './abuse.ts';

export const chromeOnMac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
export const firefoxOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

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
  headers?: Record<string, string>;
  /** Whether the browser's key proves the request. Default: when it has one. */
  prove?: boolean;
}

type Jar = Map<string, string>;
const mount = '/api/auth/blackops';

function keep(jar: Jar, header: unknown): void {
  for (const line of [header ?? []].flat().map(String)) {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** A browser without a window: its cookies, its key, where it is. */
export function createDeviceBrowser(app: TestApp, { userAgent = chromeOnMac, address = places.none, now = Date.now }: { userAgent?: string; address?: string; now?: () => number } = {}) {
  const jar: Jar = new Map();
  const self = { jar, userAgent, address, keys: undefined as DPoP.KeyPair | undefined, nonce: undefined as string | undefined, userId: '' };

  async function signIn({ email, roles = [], acr = 'aal1', amr = ['otp'], at = now() }: SignInAs): Promise<string> {
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    if (roles.length > 0) await app.services.users.setRoles(user.id, roles);
    const { cookie, sessionId } = await app.services.sessions.openCookie(user, { amr, acr, begun: at, client: 'Chrome on macOS' });
    jar.set('svc_session', cookie);
    await app.services.bindDevice(user.id, sessionId, cookieHeader());
    self.userId = user.id;
    return sessionId;
  }

  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function proofFor(method: string, url: string): Promise<Record<string, string>> {
    if (self.keys === undefined) return {};
    return { dpop: await DPoP.generateProof(self.keys, `http://localhost:80${url.split('?', 1).join('')}`, method, self.nonce) };
  }

  async function send(url: string, { method = 'GET', body, headers = {}, prove = true }: CallOptions): Promise<Answer> {
    const proof = prove ? await proofFor(method, url) : {};
    const answer = await app.http.inject({
      method, url, remoteAddress: self.address, ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      headers: { host: 'localhost:80', origin: 'http://localhost:80', 'user-agent': self.userAgent, ...(jar.size === 0 ? {} : { cookie: cookieHeader() }), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...proof, ...headers },
    });
    keep(jar, answer.headers['set-cookie']);
    if (typeof answer.headers['dpop-nonce'] === 'string') self.nonce = answer.headers['dpop-nonce'];
    const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
    return isJson ? answerOf(answer) : { status: answer.statusCode, headers: answer.headers, body: { text: answer.body } };
  }

  /** Calls, and once more with the nonce when that is what was missing. */
  async function call(url: string, options: CallOptions = {}): Promise<Answer> {
    const first = await send(url, options);
    return first.body.code === 'blackops.use_dpop_nonce' ? send(url, options) : first;
  }

  return {
    ...self, self, jar, signIn, call, proofFor,
    /** From now on it has a key that it proves. */
    async makeKey(): Promise<void> { self.keys = await DPoP.generateKeyPair('ES256'); },
    status: (body: Record<string, unknown> = {}) => call(`${mount}/status`, { method: 'POST', body: { fingerprint: 'print', ...body } }),
    ask: (body: Record<string, unknown> = {}) => call(`${mount}/request-clearance`, { method: 'POST', body: { fingerprint: 'print', ...body } }),
    approve: (request: unknown, number: unknown) => call(`${mount}/requests/${String(request)}/approve`, { method: 'POST', body: { number } }),
    deny: (request: unknown) => call(`${mount}/requests/${String(request)}/deny`, { method: 'POST', body: {} }),
    /** What only a cleared device of an admin may see. */
    console: () => call(`${mount}/dashboard`),
    revoke: (body: Record<string, unknown>) => call(`${mount}/devices`, { method: 'DELETE', body }),
  };
}

export type DeviceBrowser = ReturnType<typeof createDeviceBrowser>;

/** Clears a device without anybody's decision, with the key that stands in the environment. */
export async function clearByKey(app: TestApp, asked: Answer, authorization: string): Promise<Answer> {
  return post(app, `${mount}/requests/${String(asked.body.request_id)}/approve`, { number: asked.body.number }, { authorization });
}
