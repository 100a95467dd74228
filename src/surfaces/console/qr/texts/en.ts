import { codeTexts } from './en/code.ts';
import { createTexts } from './en/create.ts';
import { filesTexts } from './en/files.ts';
import { listTexts } from './en/list.ts';
import { styleTexts } from './en/style.ts';

/** Texts of the console's pages about QR codes. */
export const texts = {
  ...listTexts,
  ...createTexts,
  ...styleTexts,
  ...codeTexts,
  ...filesTexts,
} as const;
