import { canCopy, copyButton } from './copy-button.ts';

/** Adds a copy button to each code block: to its caption, or its corner. */
export function installCodeCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  for (const figure of document.querySelectorAll('figure.snippet')) {
    const read = () => Promise.resolve(figure.querySelector('pre')?.textContent ?? '');
    (figure.querySelector('figcaption') ?? figure).append(copyButton('Copy', read, announce));
  }
}
