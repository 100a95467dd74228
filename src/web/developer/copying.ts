import { canCopy, copyButton } from '../page/copy-button.ts';

async function fetchText(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

/** Adds buttons that copy blocks of code, and guides as a whole. */
export function installCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  const button = (label: string, read: () => Promise<string>) =>
    copyButton(label, 'copy', read, announce);
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('pre');
    figure
      .querySelector('figcaption')
      ?.append(button('Copy', () => Promise.resolve(code?.textContent ?? '')));
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-markdown]')) {
    const path = place.dataset.markdown ?? '';
    place.append(button('Copy as Markdown', () => fetchText(path)));
  }
}
