/** Returns a language tag (BCP 47) in its canonical form; undefined for an invalid one. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
