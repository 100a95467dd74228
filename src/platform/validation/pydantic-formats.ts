import { parseUrl } from '../../lib/net/parse-url.ts';
/** Type, text and context of one pydantic error. */
export interface PydanticError {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

function withReason(type: string, sentence: string, error: string): PydanticError {
  return { type, msg: `${sentence}, ${error}`, ctx: { error } };
}

function uuidError(text: string): PydanticError {
  const sentence = 'Input should be a valid UUID';
  const at = text.search(/[^0-9a-fA-F-]/);
  if (at >= 0) {
    const found = `found \`${text.charAt(at)}\` at ${at + 1}`;
    return withReason(
      'uuid_parsing',
      sentence,
      'invalid character: expected an optional prefix of `urn:uuid:` ' +
        `followed by [0-9a-fA-F-], ${found}`,
    );
  }
  const digits = text.replaceAll('-', '').length;
  if (digits === 32) return withReason('uuid_parsing', sentence, 'invalid group or version');
  return withReason(
    'uuid_parsing',
    sentence,
    `invalid length: expected length 32 for simple format, found ${digits}`,
  );
}

function urlError(text: string): PydanticError {
  const sentence = 'Input should be a valid URL';
  if (text === '') return withReason('url_parsing', sentence, 'input is empty');
  if (parseUrl(text) === undefined)
    return withReason('url_parsing', sentence, 'relative URL without a base');
  return withReason('url_parsing', sentence, 'this scheme or host is not accepted');
}

function datetimeError(text: string): PydanticError {
  if (/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/.test(text)) {
    return { type: 'timezone_aware', msg: 'Input should have timezone info' };
  }
  const sentence = 'Input should be a valid datetime or date';
  return withReason('datetime_from_date_parsing', sentence, dateReason(text));
}

function dateReason(text: string): string {
  if (text.length < 10) return 'input is too short';
  if (!/^\d{4}/.test(text)) return 'invalid character in year';
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return 'invalid date separator, expected `-`';
  return 'unexpected characters or a value outside its range';
}

function emailError(text: string): PydanticError {
  const reason = emailReason(text);
  return {
    type: 'value_error',
    msg: `value is not a valid email address: ${reason}`,
    ctx: { reason },
  };
}

function emailReason(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0) return 'An email address must have an @-sign.';
  if (at === 0) return 'There must be something before the @-sign.';
  if (at === text.length - 1) return 'There must be something after the @-sign.';
  if (!text.includes('.', at))
    return 'The part after the @-sign is not valid. It should have a period.';
  return 'It is not written as an email address.';
}

const formats = new Map<string, (text: string) => PydanticError>([
  ['uuid', uuidError],
  ['guid', uuidError],
  ['url', urlError],
  ['email', emailError],
  ['datetime', datetimeError],
  [
    'date',
    (text) =>
      withReason(
        'date_from_datetime_parsing',
        'Input should be a valid date or datetime',
        dateReason(text),
      ),
  ],
  [
    'time',
    () => withReason('time_parsing', 'Input should be in a valid time format', 'invalid time'),
  ],
  ['ipv4', () => ({ type: 'ip_v4_address', msg: 'Input is not a valid IPv4 address' })],
  ['ipv6', () => ({ type: 'ip_v6_address', msg: 'Input is not a valid IPv6 address' })],
]);

/** Returns pydantic's error for a string that violates a zod format; undefined if it has none. */
export function formatError(format: string, text: string): PydanticError | undefined {
  return formats.get(format)?.(text);
}
