import { canCopy, copyButton } from '../page/copy-button.ts';

async function fetchText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
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
  for (const container of document.querySelectorAll<HTMLElement>('[data-markdown]')) {
    const path = container.dataset.markdown ?? '';
    container.append(button('Copy as Markdown', () => fetchText(path)));
  }
}
