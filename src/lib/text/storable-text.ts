/** False for texts that no store can keep: with NUL or lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Replaces the characters that PostgreSQL rejects in text and jsonb: NUL and lone surrogates. */
export const storableText = (text: string): string =>
  text.replaceAll('\0', '\uFFFD').toWellFormed();
