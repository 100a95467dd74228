import { canCopy, copyButton, installCopyButtons } from './copy-button.ts';
import { texts } from './texts/en.ts';

const blocks = 'figure.code';

const codeOf = (figure: Element): Promise<string> =>
  Promise.resolve(figure.querySelector('pre')?.textContent ?? '');

/** Adds a copy button to the caption of each code block. */
export function installCodeCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  for (const caption of document.querySelectorAll(`${blocks} figcaption`))
    caption.append(copyButton(texts.copy.action));
  installCopyButtons(blocks, codeOf, announce);
}
