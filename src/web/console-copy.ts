const shownMs = 2000;

/** What a block is there for: the value of its field, or its text. */
const textOf = (block: Element): string =>
  block.querySelector('input')?.value ?? block.querySelector('pre')?.textContent ?? '';

/**
 * Puts a button on the blocks below `part` that are there to be copied. Browsers copy on https and
 * this machine only.
 */
export function addCopyButtons(part: ParentNode, announce: (text: string) => void): void {
  if (!('clipboard' in navigator)) return;
  for (const block of part.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'second';
    button.textContent = 'Copy';
    button.onclick = () => {
      const tell = (text: string) => {
        button.textContent = text;
        announce(text);
        setTimeout(() => {
          button.textContent = 'Copy';
        }, shownMs);
      };
      navigator.clipboard.writeText(textOf(block)).then(
        () => tell('Copied'),
        () => tell('Not copied'),
      );
    };
    block.append(button);
  }
}
