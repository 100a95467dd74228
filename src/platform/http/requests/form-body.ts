import { parse } from 'node:querystring';
import type { RequestValidationError } from '../../validation/validation-error.ts';
import { refuseUnstorable } from '../../validation/unstorable-text.ts';
import { decodeStrictly, encodingError, encodingOf } from './body-text.ts';

const maxFields = 1000;
const maxNameLength = 64;

/** Decodes a name or a value of a form; undefined when it is not in the encoding. */
type Decode = (encoded: string) => string | undefined;

/** Decodes percent-encoded text whose characters are bytes. */
function decodeBytes(encoded: string, encoding: string): string | undefined {
  const bytes = encoded.replaceAll(/%([\da-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeStrictly(Buffer.from(bytes, 'latin1'), encoding);
}

const decodeUtf8: Decode = (encoded) => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A percent sign that encodes nothing stays as it is (WHATWG URL §1.3).
    return decodeBytes(Buffer.from(encoded).toString('latin1'), 'utf-8');
  }
};

/** The error of the first field that cannot be decoded. */
function firstFault(text: string, decode: Decode, encoding: string): RequestValidationError {
  for (const field of text.split('&', maxFields)) {
    const [name = '', ...value] = field.replaceAll('+', ' ').split('=');
    const decoded = decode(name);
    if (decoded === undefined) return encodingError(encoding);
    if (decode(value.join('=')) === undefined)
      return encodingError(encoding, [decoded.slice(0, maxNameLength)]);
  }
  return encodingError(encoding);
}

function parseFields(text: string, decode: Decode, encoding: string): Record<string, unknown> {
  const faults: string[] = [];
  const fields = parse(text, '&', '=', {
    maxKeys: maxFields,
    decodeURIComponent: (encoded) => {
      const decoded = decode(encoded);
      if (decoded === undefined) faults.push(encoded);
      return decoded ?? '';
    },
  });
  if (faults.length > 0) throw firstFault(text, decode, encoding);
  return { ...fields };
}

/**
 * Reads a form (application/x-www-form-urlencoded) of at most 1,000 fields, whose percent signs
 * stand for bytes in the charset that its content type names, or UTF-8. Further fields are ignored,
 * and repeated names become lists. Throws a RequestValidationError for fields in another encoding,
 * for bytes that should be percent-encoded, and for texts that no store can keep.
 */
export function readForm(body: string, contentType: string | undefined): Record<string, unknown> {
  const encoding = encodingOf(contentType);
  // The text was decoded as UTF-8: what was not UTF-8 is lost, and nobody sends it on purpose.
  if (body.includes('\uFFFD')) throw encodingError('utf-8');
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  const decode: Decode =
    encoding === 'utf-8' ? decodeUtf8 : (encoded) => decodeBytes(encoded, encoding);
  const form = parseFields(text, decode, encoding);
  if (text.includes('%00') || text.includes('\0')) refuseUnstorable(form, 'body');
  return form;
}
