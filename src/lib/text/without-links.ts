const links = /\b(?:[a-z][a-z\d+.-]{1,15}:\/\/|www\.|mailto:)[^\s<>"]+/giu;
const domains = /(?<![\p{L}\d])(?:[\p{L}\d-]{1,63}\.){1,8}\p{L}{2,24}(?:\/[^\s<>"]*)?/giu;

/**
 * Replaces addresses of pages in a stranger's text, because email clients make links of anything
 * that looks like one.
 */
export const withoutLinks = (text: string, mark: string): string =>
  text.replace(links, mark).replace(domains, mark);

/** The beginning of a text on one line, without links, at most `maxLength` characters long. */
export function plainExtract(text: string, maxLength: number, mark: string): string {
  // Cut first, so that a long text costs no more than a short one.
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const plain = withoutLinks(line, mark);
  return plain.length <= maxLength
    ? plain
    : `${plain
        .slice(0, maxLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
