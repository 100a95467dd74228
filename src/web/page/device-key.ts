/** The browser's key pair, created by the device pages. The private key can't be exported. */
export interface DeviceKey {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

const utf8 = new TextEncoder();

export const isDeviceKey = (value: unknown): value is DeviceKey =>
  typeof value === 'object' && value !== null && 'publicKey' in value && 'privateKey' in value;

export const jsonBytes = (value: object): Uint8Array<ArrayBuffer> =>
  utf8.encode(JSON.stringify(value));

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
const jsonPart = (value: object): string => base64url(jsonBytes(value));

/** Signs a DPoP proof (RFC 9449 §4.2) with these claims. */
export async function signProof(
  { publicKey, privateKey }: DeviceKey,
  claims: object,
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const signingInput = `${jsonPart(header)}.${jsonPart(claims)}`;
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, utf8.encode(signingInput));
  return `${signingInput}.${base64url(signature)}`;
}

/** The claims of a proof for a request. `clockOffset` in ms corrects the device's clock. */
export const proofClaims = (
  htm: string,
  htu: string,
  { clockOffset, nonce }: { clockOffset: number; nonce: string | undefined },
): object => ({
  jti: crypto.randomUUID(),
  htm,
  htu,
  iat: Math.floor((Date.now() + clockOffset) / 1000),
  nonce,
});

/** Whether the server asks for a proof with the nonce that it has just sent (RFC 9449 §8). */
export const wantsNonce = ({ headers }: Response): boolean =>
  headers.get('www-authenticate')?.includes('use_dpop_nonce') === true;
