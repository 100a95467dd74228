import type { QrCodeView } from '../schemas.ts';

/** The name of a code in letters and digits of any script, which every system takes in names. */
const plainNameOf = (name: string): string => {
  const letters = name.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '');
  return (/^.{0,60}/u.exec(letters)?.[0] ?? '').trim().replace(/\s+/g, '-');
};

/** The name of one of several files, without its extension: it ends in the unique short code. */
export function uniqueFileName({ name, code }: Pick<QrCodeView, 'name' | 'code'>): string {
  const plain = plainNameOf(name);
  return plain === '' ? code : `${plain}-${code}`;
}

/** The name of the only file, without its extension: `summer-menu` for “Summer menu”. */
export const fileNameOf = ({ name, code }: Pick<QrCodeView, 'name' | 'code'>): string =>
  plainNameOf(name).toLowerCase() || code;
