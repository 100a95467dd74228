import {
  type DeviceKey,
  isDeviceKey,
  proofClaims,
  signProof,
  wantsNonce,
} from '../page/device-key.ts';

/** Reads the key that the device pages have stored; undefined without a key or a store. */
async function readKey(): Promise<DeviceKey | undefined> {
  return new Promise((resolve) => {
    const openRequest = indexedDB.open('device', 1);
    // Without a store there is no key: the device pages create both together.
    openRequest.onupgradeneeded = () => openRequest.transaction?.abort();
    openRequest.onerror = () => resolve(undefined);
    openRequest.onsuccess = () => {
      const database = openRequest.result;
      const readRequest = database.transaction('keys').objectStore('keys').get('own');
      readRequest.onsuccess = () =>
        resolve(isDeviceKey(readRequest.result) ? readRequest.result : undefined);
      readRequest.onerror = () => resolve(undefined);
      readRequest.transaction?.addEventListener('complete', () => database.close());
    };
  });
}

export type DeviceFetch = (
  path: string,
  options?: {
    method?: string;
    body?: URLSearchParams | FormData;
    accept?: string;
    /** The path of the page that a form is on, if that is not the page itself. */
    referrer?: string | undefined;
  },
) => Promise<Response>;

/**
 * Creates a `fetch` for this origin that proves the device's key with each request (RFC 9449),
 * if the page says that the device has one. Such requests are redirected by a 204 with `location`.
 */
export function createDeviceFetch(): DeviceFetch {
  const proof = document.querySelector<HTMLElement>('#proof')?.dataset;
  const clockOffset = proof ? Number(proof.now) - Date.now() : 0;
  let nonce = proof?.nonce;
  let key: Promise<DeviceKey | undefined> | undefined;

  const claimsOf = (method: string, path: string) =>
    proofClaims(method, new URL(path, location.origin).href.replace(/[?#].*/, ''), {
      clockOffset,
      nonce,
    });

  return async function deviceFetch(
    path,
    { method = 'GET', body, accept = 'text/html', referrer } = {},
  ): Promise<Response> {
    const deviceKey = proof ? await (key ??= readKey()) : undefined;
    const send = async () => {
      const headers: Record<string, string> = { accept };
      if (deviceKey) headers.dpop = await signProof(deviceKey, claimsOf(method, path));
      const response = await fetch(path, {
        method,
        headers,
        ...(body && { body }),
        ...(referrer !== undefined && { referrer }),
      });
      nonce = response.headers.get('dpop-nonce') ?? nonce;
      return response;
    };
    const response = await send();
    return wantsNonce(response) ? send() : response;
  };
}
