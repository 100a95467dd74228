import { canCopy, copyButton, installCopyButtons } from '../page/copy-button.ts';
import { installCodeCopying } from '../page/copy-code.ts';
import { texts } from './texts/en.ts';

async function fetchText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** Adds buttons that copy blocks of code, and guides as a whole. */
export function installCopying(announce: (text: string) => void): void {
  if (!canCopy()) return;
  installCodeCopying(announce);
  for (const container of document.querySelectorAll('[data-markdown]'))
    container.append(copyButton(texts.copyMarkdown));
  installCopyButtons(
    '[data-markdown]',
    ({ dataset }) => fetchText(dataset.markdown ?? ''),
    announce,
  );
}
