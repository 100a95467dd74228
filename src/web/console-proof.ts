/** The key of the browser, which the pages of devices have made, and never leaves it. */
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
const part = (value: object): string => base64url(utf8.encode(JSON.stringify(value)));

function isDeviceKey(value: unknown): value is DeviceKey {
  return (
    typeof value === 'object' && value !== null && 'publicKey' in value && 'privateKey' in value
  );
}

/** The key that the pages of devices keep; undefined where there is none, or no store for it. */
async function readKey(): Promise<DeviceKey | undefined> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('device', 1);
    // There is none: the pages of devices make the store with the key.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const database = opening.result;
      const asked = database.transaction('keys').objectStore('keys').get('own');
      asked.onsuccess = () => resolve(isDeviceKey(asked.result) ? asked.result : undefined);
      asked.onerror = () => resolve(undefined);
      asked.transaction?.addEventListener('complete', () => database.close());
    };
  });
}

export type Ask = (
  path: string,
  options?: { method?: string; body?: URLSearchParams; accept?: string },
) => Promise<Response>;

/**
 * Gives a `fetch` for this origin that proves the key of the device with each request (RFC 9449),
 * where the page says that it has one. Redirects of such requests come as 204 with their place in
 * `location`.
 */
export function createAsk(): Ask {
  const facts = document.querySelector<HTMLElement>('#proof')?.dataset;
  const ahead = facts ? Number(facts.now) - Date.now() : 0;
  let nonce = facts?.nonce;
  let key: Promise<DeviceKey | undefined> | undefined;

  async function proofOf(
    { publicKey, privateKey }: DeviceKey,
    htm: string,
    path: string,
  ): Promise<string> {
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
    const claims = {
      jti: crypto.randomUUID(),
      htm,
      htu: new URL(path, location.origin).href.replace(/[?#].*/, ''),
      iat: Math.floor((Date.now() + ahead) / 1000),
      nonce,
    };
    const signed = `${part({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })}.${part(claims)}`;
    return `${signed}.${base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8.encode(signed)))}`;
  }

  return async function ask(
    path,
    { method = 'GET', body, accept = 'text/html' } = {},
  ): Promise<Response> {
    const held = facts ? await (key ??= readKey()) : undefined;
    const send = async () => {
      const headers: Record<string, string> = { accept };
      if (held) headers.dpop = await proofOf(held, method, path);
      const answer = await fetch(path, { method, headers, ...(body ? { body } : {}) });
      nonce = answer.headers.get('dpop-nonce') ?? nonce;
      return answer;
    };
    const answer = await send();
    return answer.headers.get('www-authenticate')?.includes('use_dpop_nonce') ? send() : answer;
  };
}
