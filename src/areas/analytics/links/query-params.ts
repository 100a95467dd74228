const maxParams = 50;

const secretKeys = new Set(
  (
    'token password passwd pwd pass passphrase passcode pin otp totp code secret key apikey jwt ' +
    'bearer auth authorization session sessionid sessid sid phpsessid jsessionid aspsessionid ' +
    'cfid cftoken signature sig hmac nonce ticket samlresponse samlrequest assertion credential ' +
    'credentials email emailaddress mail phone phonenumber phoneno userphone customerphone ' +
    'contactphone mobilephone mobilenumber tel telephone msisdn ssn iban cardnumber creditcard ' +
    'ccnumber cvv cvc firstname lastname fullname username birthdate dob'
  ).split(' '),
);
const secretEndings = (
  'token password passwd secret apikey accesskey privatekey email signature ' +
  'sessionid session phonenumber credential credentials otp authcode jwt'
).split(' ');

const notNormal =
  /%(?:2[DEde]|3\d|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee]|[\dA-Fa-f][a-f]|[a-f]|(?![\dA-Fa-f]{2}))/;
const percentSign = 0x25;
const unreserved = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9\-._~]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const hexDigits = Buffer.from('0123456789ABCDEF');
const hexValues = new Int8Array(256).fill(-1);
for (const [value, digit] of hexDigits.entries()) {
  hexValues[digit] = value;
  hexValues[String.fromCharCode(digit).toLowerCase().charCodeAt(0)] = value;
}

/**
 * Normalises percent-encoding (RFC 3986 §6.2.2): decodes unreserved characters, upper-cases hex
 * digits, and encodes a stray `%` as `%25`. Reserved characters stay as they are. Idempotent.
 */
export function normaliseEscapes(text: string): string {
  if (!notNormal.test(text)) return text;
  // Uses one buffer: building a string piece by piece is several times slower for hostile urls.
  const out = new Uint16Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte =
      code === percentSign ? parseHexByte(text.charCodeAt(at + 1), text.charCodeAt(at + 2)) : -1;
    if (code !== percentSign) out[length++] = code;
    else if (byte !== -1 && unreserved[byte] === 1) out[length++] = byte;
    else length = writeEscape(out, length, byte === -1 ? percentSign : byte);
    if (byte !== -1) at += 2;
  }
  return Buffer.from(out.buffer, 0, length * 2).toString('utf16le');
}

/**
 * Percent-decodes a text (WHATWG URL §1.3): invalid escapes stay, invalid UTF-8 becomes U+FFFD.
 * `decodeURIComponent` throws on both, and throwing costs more than the decoding.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    const byte = code === percentSign ? parseHexByte(bytes[at + 1], bytes[at + 2]) : -1;
    bytes[length++] = byte === -1 ? code : byte;
    if (byte !== -1) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** Returns the byte of two hex digits, given as character codes; -1 if they are not hex digits. */
function parseHexByte(first = 0, second = 0): number {
  const high = hexValues[first] ?? -1;
  const low = hexValues[second] ?? -1;
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function writeEscape(out: Uint16Array, at: number, byte: number): number {
  out[at] = percentSign;
  out[at + 1] = hexDigits[byte >> 4] ?? 0;
  out[at + 2] = hexDigits[byte & 15] ?? 0;
  return at + 3;
}

/**
 * Returns true for query keys (escapes normalised) that suggest a secret or personal data:
 * `reset_token`, `user[email]`, `X-Amz-Signature`, `e-mail`. Ignores case, punctuation and a
 * trailing index.
 */
export function isSecretKey(key: string): boolean {
  const name = key
    .slice(0, 256)
    .toLowerCase()
    .replace(/%[0-9a-f]{2}|[^a-z0-9]/g, '')
    .replace(/^\d+|\d{1,4}$/g, '');
  return secretKeys.has(name) || secretEndings.some((ending) => name.endsWith(ending));
}

/** Whether a text, plain or percent-encoded (even repeatedly), may contain an e-mail address. */
export function holdsEmail(text: string): boolean {
  const at = text.search(/@|%(?:25)*40/);
  return at !== -1 && text.includes('.', at);
}

/** Splits a query without its `?` at `&`. Returns the first 50 parts, without empty ones. */
export function queryParts(query: string): string[] {
  return query.split('&', maxParams).filter((part) => part !== '');
}

/** Returns the key of a `key=value` part. */
export function partKey(part: string): string {
  const equals = part.indexOf('=');
  return equals === -1 ? part : part.slice(0, equals);
}

/**
 * Sanitises a query part for storage; returns null if it must be dropped. A value with nested
 * parameters (`next=/reset?token=…`, encoded or not) is cut before them. A part with an e-mail
 * address is dropped.
 */
export function safePart(part: string): string | null {
  const key = partKey(part);
  if (isSecretKey(key) || holdsEmail(part)) return null;
  if (key.length === part.length) return part;
  return `${key}=${withoutNestedParams(part.slice(key.length + 1))}`;
}

function withoutNestedParams(value: string): string {
  if (!/=|%(?:25)*3D/i.test(value)) return value;
  return value.slice(0, value.search(/[?#=]|%(?:25)*(?:3F|23|26|3B|3D)/i));
}

/** Truncates a text to `max` UTF-16 code units, without splitting a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
