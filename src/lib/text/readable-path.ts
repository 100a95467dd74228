/** Escapes that the URL standard writes for characters that people type in a path. */
export const typedEscapes = /%(?:20|22|3C|3E|60|7B|7D)|(?:%[89A-F][\dA-F])+/g;
/** Characters that a reader could not see, or could mistake for a space. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Decodes a run of escapes; undefined if they are not UTF-8. */
function decode(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}

const escapeUnseen = (text: string): string =>
  text.replace(unseen, (character) => (character === ' ' ? ' ' : encodeURIComponent(character)));

/**
 * Returns a normalised path as people read it: `/danke-für` for `/danke-f%C3%BCr`. Reserved
 * characters (RFC 3986 §2.2), characters that can't be seen and what is not UTF-8 stay escaped, so
 * that normalising the result gives the same path.
 */
export function readablePath(path: string): string {
  if (!path.includes('%')) return path;
  const text = path.replace(typedEscapes, (escapes) => {
    const decoded = decode(escapes);
    return decoded === undefined ? escapes : escapeUnseen(decoded);
  });
  return text.replace(/ +$/, (spaces) => '%20'.repeat(spaces.length));
}
