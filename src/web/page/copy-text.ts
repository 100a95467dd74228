import { canCopy, copyButton, installCopyButtons } from './copy-button.ts';
import { texts } from './texts/en.ts';

const blocks = '[data-copy]';

/** The text of a block that can be copied: the value of its field, or its preformatted text. */
const textOf = (block: Element): Promise<string> =>
  Promise.resolve(
    block.querySelector('input')?.value ?? block.querySelector('pre')?.textContent ?? '',
  );

/** Adds a copy button to each block with `data-copy`. */
export function addCopyButtons(part: ParentNode): void {
  if (!canCopy()) return;
  for (const block of part.querySelectorAll(blocks)) block.append(copyButton(texts.copy.action));
}

/** Makes the buttons of `addCopyButtons` work. */
export const installCopying = (announce: (text: string) => void): void =>
  installCopyButtons(blocks, textOf, announce);
