import { type DeviceKey, isDeviceKey } from '../page/device-key.ts';

const name = 'own';

const settled = (work: EventTarget, done: string, failed: string) =>
  new Promise<void>((resolve, reject) => {
    work.addEventListener(done, () => resolve());
    work.addEventListener(failed, () => reject(new Error(`IndexedDB: ${failed}`)));
  });

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (keys: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open('device', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  await settled(opening, 'success', 'error');
  const database = opening.result;
  try {
    const transaction = database.transaction('keys', mode);
    const request = act(transaction.objectStore('keys'));
    await settled(transaction, 'complete', 'abort');
    return request.result;
  } finally {
    database.close();
  }
}

/** Reads the key of this browser; undefined without one. Rejects without a store. */
export async function readKey(): Promise<DeviceKey | undefined> {
  const stored: unknown = await inStore('readonly', (keys) => keys.get(name));
  return isDeviceKey(stored) ? stored : undefined;
}

/** Creates the key of this browser, which can't leave it. A key that is there already counts. */
export async function makeKey({
  isReplaced,
}: {
  isReplaced: boolean;
}): Promise<DeviceKey | undefined> {
  if (isReplaced) await inStore('readwrite', (keys) => keys.delete(name));
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const made = await crypto.subtle.generateKey(algorithm, false, ['sign']);
  await inStore('readwrite', (keys) => keys.add(made, name)).catch(() => undefined);
  return readKey();
}
