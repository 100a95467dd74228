/** Replaces the characters that PostgreSQL rejects in text and jsonb: NUL and lone surrogates. */
export const storableText = (text: string): string =>
  text.replaceAll('\0', '\uFFFD').toWellFormed();
