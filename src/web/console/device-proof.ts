/** The browser's key pair, created by the device pages. The private key can't be exported. */
interface DeviceKey {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

const utf8 = new TextEncoder();
const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
const jsonPart = (value: object): string => base64url(utf8.encode(JSON.stringify(value)));

function isDeviceKey(value: unknown): value is DeviceKey {
  return (
    typeof value === 'object' && value !== null && 'publicKey' in value && 'privateKey' in value
  );
}

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

/** Signs a DPoP proof (RFC 9449 §4.2) with these claims. */
async function signProof({ publicKey, privateKey }: DeviceKey, claims: object): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const signingInput = `${jsonPart(header)}.${jsonPart(claims)}`;
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, utf8.encode(signingInput));
  return `${signingInput}.${base64url(signature)}`;
}

export type DeviceFetch = (
  path: string,
  options?: { method?: string; body?: URLSearchParams; accept?: string },
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

  const claimsOf = (htm: string, path: string) => ({
    jti: crypto.randomUUID(),
    htm,
    htu: new URL(path, location.origin).href.replace(/[?#].*/, ''),
    iat: Math.floor((Date.now() + clockOffset) / 1000),
    nonce,
  });

  return async function deviceFetch(
    path,
    { method = 'GET', body, accept = 'text/html' } = {},
  ): Promise<Response> {
    const deviceKey = proof ? await (key ??= readKey()) : undefined;
    const send = async () => {
      const headers: Record<string, string> = { accept };
      if (deviceKey) headers.dpop = await signProof(deviceKey, claimsOf(method, path));
      const response = await fetch(path, { method, headers, ...(body ? { body } : {}) });
      nonce = response.headers.get('dpop-nonce') ?? nonce;
      return response;
    };
    const response = await send();
    return response.headers.get('www-authenticate')?.includes('use_dpop_nonce') ? send() : response;
  };
}
