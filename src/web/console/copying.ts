import { canCopy, copyButton } from '../page/copy-button.ts';

/** The text of a block that can be copied: the value of its field, or its preformatted text. */
const textOf = (block: Element): string =>
  block.querySelector('input')?.value ?? block.querySelector('pre')?.textContent ?? '';

/** Adds a copy button to each block with `data-copy`. */
export function installCopying(part: ParentNode, announce: (text: string) => void): void {
  if (!canCopy()) return;
  for (const block of part.querySelectorAll('[data-copy]'))
    block.append(copyButton('Copy', () => Promise.resolve(textOf(block)), announce));
}
