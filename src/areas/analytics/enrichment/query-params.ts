const MAX_PARAMS = 50;

const SECRET_KEYS = new Set(
  (
    'token password passwd pwd pass passphrase passcode pin otp totp code secret key apikey jwt bearer auth authorization ' +
    'session sessionid sessid sid phpsessid jsessionid aspsessionid cfid cftoken signature sig hmac nonce ticket ' +
    'samlresponse samlrequest assertion credential credentials email emailaddress mail phone phonenumber phoneno ' +
    'userphone customerphone contactphone mobilephone mobilenumber tel telephone ' +
    'msisdn ssn iban cardnumber creditcard ccnumber cvv cvc firstname lastname fullname username birthdate dob'
  ).split(' '),
);
const SECRET_ENDINGS = [
  'token',
  'password',
  'passwd',
  'secret',
  'apikey',
  'accesskey',
  'privatekey',
  'email',
  'signature',
  'sessionid',
  'session',
  'phonenumber',
  'credential',
  'credentials',
  'otp',
  'authcode',
  'jwt',
];

const NOT_NORMAL =
  /%(?:2[DEde]|3\d|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee]|[\dA-Fa-f][a-f]|[a-f]|(?![\dA-Fa-f]{2}))/;
const PERCENT = 0x25;
const UNRESERVED = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9\-._~]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const HEX_DIGITS = Buffer.from('0123456789ABCDEF');
const HEX_VALUES = new Int8Array(256).fill(-1);
for (const [value, digit] of HEX_DIGITS.entries()) {
  HEX_VALUES[digit] = value;
  HEX_VALUES[String.fromCharCode(digit).toLowerCase().charCodeAt(0)] = value;
}

/**
 * Percent-encoding in one form (RFC 3986 §6.2.2): unreserved characters decoded, hex digits in
 * capitals, a `%` that starts no escape written as `%25`. Reserved characters stay as they are.
 * Applying it twice changes nothing more.
 */
export function normaliseEscapes(text: string): string {
  if (!NOT_NORMAL.test(text)) return text;
  // Code by code into one buffer: a string built piece by piece takes several times as long for
  // hostile urls.
  const out = new Uint16Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code === PERCENT ? byteOf(text.charCodeAt(at + 1), text.charCodeAt(at + 2)) : -1;
    if (code !== PERCENT) out[length++] = code;
    else if (byte !== -1 && UNRESERVED[byte] === 1) out[length++] = byte;
    else length = writeEscape(out, length, byte === -1 ? PERCENT : byte);
    if (byte !== -1) at += 2;
  }
  return Buffer.from(out.buffer, 0, length * 2).toString('utf16le');
}

/**
 * Percent-decoded text (WHATWG URL §1.3): broken escapes stay, bytes that are no UTF-8 become
 * U+FFFD. In place of decodeURIComponent, which throws on both, and a throw costs more than the
 * whole rest.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    const byte = code === PERCENT ? byteOf(bytes[at + 1], bytes[at + 2]) : -1;
    bytes[length++] = byte === -1 ? code : byte;
    if (byte !== -1) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** The byte that two hex digits (their character codes) stand for, -1 when they are none. */
function byteOf(first = 0, second = 0): number {
  const high = HEX_VALUES[first] ?? -1;
  const low = HEX_VALUES[second] ?? -1;
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function writeEscape(out: Uint16Array, at: number, byte: number): number {
  out[at] = PERCENT;
  out[at + 1] = HEX_DIGITS[byte >> 4] ?? 0;
  out[at + 2] = HEX_DIGITS[byte & 15] ?? 0;
  return at + 3;
}

/**
 * Whether a query key (escapes normalised) names a secret or personal data: `token`, `reset_token`,
 * `user[email]`, `X-Amz-Signature`, `e-mail`. Case, punctuation and a trailing index do not matter.
 */
export function isSecretKey(key: string): boolean {
  const name = key
    .slice(0, 256)
    .toLowerCase()
    .replace(/%[0-9a-f]{2}|[^a-z0-9]/g, '')
    .replace(/^\d+|\d{1,4}$/g, '');
  return SECRET_KEYS.has(name) || SECRET_ENDINGS.some((ending) => name.endsWith(ending));
}

/**
 * Whether a text, plain or percent-encoded (also more than once), holds something like an e-mail
 * address.
 */
export function holdsEmail(text: string): boolean {
  const at = text.search(/@|%(?:25)*40/);
  return at !== -1 && text.includes('.', at);
}

/**
 * The parts between the `&` of a query without its `?`: at most 50, empty ones left out; the rest
 * is ignored.
 */
export function queryParts(query: string): string[] {
  return query.split('&', MAX_PARAMS).filter((part) => part !== '');
}

/** The key of one `key=value` part. */
export function partKey(part: string): string {
  const equals = part.indexOf('=');
  return equals === -1 ? part : part.slice(0, equals);
}

/**
 * One query part made safe to store, or null when it must not be kept. A value that carries
 * parameters of its own (`next=/reset?token=…`, encoded or not) is cut before them; a value with an
 * e-mail address goes altogether.
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

/** A text of at most `max` UTF-16 units that does not end in half a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
