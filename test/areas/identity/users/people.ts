import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { vi } from 'vitest';
import type { TestApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { openBearer, type SignedIn } from '../../../support/sign-in.ts';

/** Somebody who signed in. `account` sends requests about their own account. */
export interface Person extends SignedIn {
  email: string;
  account: TestClient;
}

/** Signs in with an address: by default as somebody new. */
export async function signIn(
  app: TestApp,
  email = `${randomUUID().slice(0, 12)}@example.com`,
): Promise<Person> {
  const signedIn = await openBearer(app, email);
  const account = new TestClient(app).as(signedIn.bearer).at('/api/v1/users/me');
  return { ...signedIn, email, account };
}

/** Uploads a picture. */
export const upload = ({ account }: Person, bytes: Buffer, type = 'image/png') =>
  account.put<{ picture: string }>('/avatar', bytes, { headers: { 'content-type': type } });

/** Makes somebody an admin, as the console does. */
export const makeAdmin = (app: TestApp, userId: string): Promise<unknown> =>
  app.services.users.setRoles(userId, ['admin']);

/** Waits until the copy of somebody's data is ready, and downloads it. */
export async function exportOf({ account }: Person): Promise<Map<string, Buffer>> {
  await account.post('/export');
  await vi.waitFor(
    async () => {
      const { state } = (await account.get('/export')).body;
      if (state !== 'ready') throw new Error(`the export is ${String(state)}`);
    },
    { timeout: 15_000, interval: 20 },
  );
  const file = await account.get('/export/file');
  if (file.status !== 200) throw new Error(file.text);
  return unzip(file.bytes);
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
