const tail = '%[89AB][0-9A-F]';
/** Escapes of well-formed UTF-8 (Unicode 15.0, table 3-7), between other characters. */
const utf8 = [
  '[^%]',
  '%[0-7][0-9A-F]',
  `%(?:C[2-9A-F]|D[0-9A-F])${tail}`,
  `%E0%[AB][0-9A-F]${tail}`,
  `%E[1-9A-CEF]${tail}${tail}`,
  `%ED%[89][0-9A-F]${tail}`,
  `%F0%[9AB][0-9A-F]${tail}${tail}`,
  `%F[1-3]${tail}${tail}${tail}`,
  `%F4%8[0-9A-F]${tail}${tail}`,
].join('|');
/** Escapes of ASCII characters that are not written for what people type: they stay. */
const kept = '%([0145][0-9A-F]|2[13-9A-F]|3[0-9ABDF]|6[1-9A-F]|7[0-9ACEF])';

/**
 * SQL of a normalised path or URL as people read it, like `readablePath`. Checks that the escapes
 * are UTF-8 first: `TRY` costs a C++ exception for each text that is not.
 */
export const readableSql = (text: string): string =>
  `(CASE WHEN contains(${text}, '%') AND regexp_full_match(${text}, '(?:${utf8})*', 's')
    THEN url_decode(regexp_replace(${text}, '${kept}', '%25\\1', 'g')) ELSE ${text} END)`;
