import { phoneIdentifier } from '../../../lib/identifiers.ts';
import { normalizePasted } from '../../../lib/text/pasted.ts';

const scheme = /^tel:(?:\/\/)?/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Written {
  number: string;
  /** True for a number of a switchboard, which leads to one person only with the extension. */
  hasExtension: boolean;
}

/** Reads the parts of a `tel:` URI, whose parameters have no case (RFC 3966 §3 and §4). */
function readUri(text: string): Written {
  const [written = '', ...parameters] = text.replace(scheme, '').split(';');
  const number = decoded(written).trim();
  const valueOf = (name: string): string | undefined =>
    parameters
      .map((parameter) => parameter.trim())
      .find((parameter) => parameter.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const context = decoded(valueOf('phone-context') ?? '');
  return {
    number: !number.startsWith('+') && context.startsWith('+') ? `${context} ${number}` : number,
    hasExtension: valueOf('ext') !== undefined,
  };
}

function read(value: string): Written {
  const text = normalizePasted(value).trim();
  return scheme.test(text) ? readUri(text) : { number: text, hasExtension: false };
}

/**
 * Reads a phone number: one with a plus sign, or a `tel:` URI (RFC 3966, which RFC 7643 §4.1.2
 * recommends). Returns it in E.164; undefined for invalid numbers, for one that can't get texts,
 * and for one with an extension, which people share.
 */
export async function readPhone(value: unknown): Promise<string | undefined> {
  if (typeof value !== 'string') return undefined;
  const { number, hasExtension } = read(value);
  if (hasExtension) return undefined;
  const identifier = await phoneIdentifier(number);
  return identifier?.isRefused === false ? identifier.key : undefined;
}

/** The form of E.164 of a number, to compare with: without a scheme, separators and parameters. */
export function comparablePhone(text: string): string {
  const number = read(text).number.trim();
  return /^\+[\d\s().\-/]+$/.test(number) ? `+${number.replace(/\D/g, '')}` : number;
}
