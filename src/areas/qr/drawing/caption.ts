/** What Windows-1252, the encoding of PDF's own fonts, has besides Latin-1. */
const windowsLetters = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const printable = new RegExp(`[ -~\u00a1-\u00ac\u00ae-\u00ff${windowsLetters}]`);

/** Letters that no decomposition reduces to ASCII. */
const plainLetters = new Map(
  Object.entries({ Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ł: 'L', ł: 'l', Ŧ: 'T', ŧ: 't' }),
);

function toPrintable(letter: string): string {
  if (printable.test(letter)) return letter;
  const plain = plainLetters.get(letter) ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return Array.from(plain)
    .filter((each) => printable.test(each))
    .join('');
}

/**
 * Returns a text in the letters of PDF's own fonts: of others, the letter without its accent, or
 * nothing. Empty if nothing of it is a letter or digit, as with a name in Greek.
 */
export function printableCaption(text: string): string {
  const letters = Array.from(text.normalize('NFC').replace(/\s+/g, ' '), toPrintable);
  const caption = letters.join('').replace(/ {2,}/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(caption) ? caption : '';
}

/** Shortens a text until `fits`, with an ellipsis. */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let [shortest, longest] = [0, text.length];
  while (longest - shortest > 1) {
    const middle = Math.floor((shortest + longest) / 2);
    if (fits(`${text.slice(0, middle).trimEnd()}…`)) shortest = middle;
    else longest = middle;
  }
  return `${text.slice(0, shortest).trimEnd()}…`;
}
