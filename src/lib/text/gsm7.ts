// 3GPP TS 23.038 §6.2.1: the default alphabet, and its extension, whose characters count twice.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

const replacements: Readonly<Record<string, string>> = {
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
};

const isIn = (char: string): boolean => basic.includes(char) || extension.includes(char);

function replace(char: string): string {
  if (isIn(char)) return char;
  const letter = char.normalize('NFD').replace(/\p{M}+/gu, '');
  return replacements[char] ?? (letter !== '' && isIn(letter) ? letter : char);
}

/**
 * Replaces characters that an SMS of 160 characters cannot have by similar ones: `ç` by `c`, a dash
 * by a hyphen. Leaves others, such as those of other scripts, as they are.
 */
export const toGsm7 = (text: string): string => text.normalize('NFC').replace(/./gsu, replace);

/** Returns how many messages an SMS is billed as. */
export function smsSegments(text: string): number {
  const chars = Array.from(text);
  const isGsm7 = chars.every(isIn);
  const length = isGsm7
    ? chars.reduce((sum, char) => sum + (extension.includes(char) ? 2 : 1), 0)
    : text.length;
  const [single, part] = isGsm7 ? [160, 153] : [70, 67];
  return length <= single ? 1 : Math.ceil(length / part);
}
