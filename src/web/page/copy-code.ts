import { canCopy, copyButton } from './copy-button.ts';

/** Adds a copy button to the caption of each code block. */
export function installCodeCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  for (const figure of document.querySelectorAll('figure.code')) {
    const read = () => Promise.resolve(figure.querySelector('pre')?.textContent ?? '');
    figure.querySelector('figcaption')?.append(copyButton('Copy', 'copy', read, announce));
  }
}
