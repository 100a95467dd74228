const languageTag = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z0-9])/i;

/**
 * Returns the first language of an Accept-Language header or of an event's language field, as
 * language, script and region in the recommended case (RFC 5646 §2.1.1): `en-GB` for
 * `en-gb,en;q=0.9`, `zh-Hant-TW` for `zh_hant_tw`. At most 11 characters: variants and extensions
 * are dropped. Null for `*` and for texts that are not a language tag. Never throws.
 */
export function parseLanguage(value: string): string | null {
  const match = languageTag.exec(value.slice(0, 64).trimStart());
  if (match === null) return null;
  const [, language = '', script, region] = match;
  const parts = [language.toLowerCase()];
  if (script !== undefined)
    parts.push(script.charAt(0).toUpperCase() + script.slice(1).toLowerCase());
  if (region !== undefined) parts.push(region.toUpperCase());
  return parts.join('-');
}
