import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { vi } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { answerOf } from '../../support/abuse.ts';
import { type Answer, signInByEmail, type SignedIn } from '../../support/sign-in.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Signs in somebody new. */
export const newcomer = async (
  app: TestApp,
  email = `${randomUUID().slice(0, 12)}@example.com`,
): Promise<SignedIn & { email: string }> => ({ ...(await signInByEmail(app, email)), email });

/** Sends a request of the own account. */
export async function call(
  app: TestApp,
  { bearer }: Pick<SignedIn, 'bearer'>,
  method: Method,
  path: string,
  payload?: object,
): Promise<Answer> {
  const url = `/api/v1/users/me${path}`;
  return answerOf(
    await app.http.inject({
      method,
      url,
      headers: bearer,
      ...(payload === undefined ? {} : { payload }),
    }),
  );
}

/** Uploads a picture. */
export const upload = (
  app: TestApp,
  { bearer }: Pick<SignedIn, 'bearer'>,
  bytes: Buffer,
  type = 'image/png',
): Promise<LightMyRequestResponse> =>
  app.http.inject({
    method: 'PUT',
    url: '/api/v1/users/me/avatar',
    headers: { ...bearer, 'content-type': type },
    payload: bytes,
  });

/** Makes somebody an admin, as the console does. */
export const makeAdmin = (app: TestApp, userId: string): Promise<unknown> =>
  app.services.users.setRoles(userId, ['admin']);

/** Waits until the copy of somebody's data is ready, and downloads it. */
export async function exportOf(app: TestApp, person: SignedIn): Promise<Map<string, Buffer>> {
  await call(app, person, 'POST', '/export');
  await vi.waitFor(
    async () => {
      const { body } = await call(app, person, 'GET', '/export');
      if (body.state !== 'ready') throw new Error(`the export is ${String(body.state)}`);
    },
    { timeout: 15_000, interval: 20 },
  );
  const file = await app.http.inject({
    url: '/api/v1/users/me/export/file',
    headers: person.bearer,
  });
  if (file.statusCode !== 200) throw new Error(file.body);
  return unzip(file.rawPayload);
}

/** The files of a zip, by the list at its end (APPNOTE.TXT §4.3.12). */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const content = bytes.subarray(start, start + size);
    files.set(name, method === 0 ? content : inflateRawSync(content));
    at += 46 + nameLength + extra + bytes.readUInt16LE(at + 32);
  }
  return files;
}
