import { canCopy, copyButton, installCopyButtons } from './copy-button.ts';
import { texts } from './texts/en.ts';

const blocks = 'figure.snippet';

const codeOf = (figure: Element): Promise<string> =>
  Promise.resolve(figure.querySelector('pre')?.textContent ?? '');

/** Adds a copy button to each code block: to its caption, or its corner. */
export function installCodeCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  for (const figure of document.querySelectorAll(blocks))
    (figure.querySelector('figcaption') ?? figure).append(copyButton(texts.copy.action));
  installCopyButtons(blocks, codeOf, announce);
}
