import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { requestErrors } from '../../errors/errors.ts';
import { RequestValidationError, valueError } from '../../validation/validation-error.ts';

const charsetParameter = /;\s*charset\s*=\s*"?([^\s;",]+)/i;

/** The encoding that a byte order mark of UTF-16 names (WHATWG Encoding §6). */
function markedEncoding([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function createDecoder(charset: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal });
  } catch (cause) {
    throw requestErrors.unsupported_media_type({
      detail: 'The charset of the Content-Type header is unknown. Send UTF-8.',
      cause,
    });
  }
}

/** Returns the charset that a content type names, or UTF-8. Throws 415 for an unknown one. */
export function encodingOf(contentType = ''): string {
  const [, charset] = charsetParameter.exec(contentType) ?? [];
  return charset === undefined ? 'utf-8' : createDecoder(charset, true).encoding;
}

/** Decodes bytes without a replacement for what is invalid; undefined when something is. */
export function decodeStrictly(bytes: Buffer, encoding: string): string | undefined {
  if (encoding === 'utf-8') {
    if (!isUtf8(bytes)) return undefined;
    const text = bytes.toString();
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
  const decoder = createDecoder(encoding, true);
  try {
    // In one step, Node 20 decodes windows-1252 as Latin-1, without the euro sign.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return undefined;
  }
}

/** The error of text that is not in its encoding, at its place in the body. */
export const encodingError = (
  encoding: string,
  path: readonly (string | number)[] = [],
): RequestValidationError =>
  new RequestValidationError([valueError(['body', ...path], `is not ${encoding.toUpperCase()}`)]);

/**
 * Decodes a body in the charset that its content type names, or UTF-8, without its byte order mark.
 * Throws 415 for an unknown charset, and a RequestValidationError for bytes that are not text in
 * it: with replacements, another text than the client's would be kept.
 */
export function bodyText(bytes: Buffer, contentType: string | undefined): string {
  const encoding = encodingOf(contentType);
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined) throw encodingError(encoding);
  return text;
}

/** Decodes a file like `bodyText`, or as UTF-16 when it begins with that byte order mark. */
export function fileText(bytes: Buffer, contentType: string | undefined): string {
  const marked = markedEncoding(bytes);
  return (
    (marked === undefined ? undefined : decodeStrictly(bytes, marked)) ??
    bodyText(bytes, contentType)
  );
}

/** Decodes a body like `bodyText`, but replaces what is invalid by U+FFFD. */
export function repairedBodyText(bytes: Buffer, contentType: string | undefined): string {
  try {
    return bodyText(bytes, contentType);
  } catch {
    return bytes.toString();
  }
}
