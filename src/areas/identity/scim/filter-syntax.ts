import { type Filter, parse } from 'scim2-parse-filter';

const maxLength = 1000;

/** `True`, which has no case in ABNF (RFC 5234 §2.3), as JSON spells it. Texts stay. */
const withLowerCaseLiterals = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/gi, (each) =>
    each.startsWith('"') ? each : each.toLowerCase(),
  );

/** Parses a filter (RFC 7644 §3.4.2.2); undefined for one that is broken or too long. */
export function parseFilter(text: string): Filter | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return parse(withLowerCaseLiterals(text));
  } catch {
    return undefined;
  }
}
