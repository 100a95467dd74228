import { element } from './developer-elements.ts';

const shownMs = 2000;

function copyButton(
  name: string,
  read: () => Promise<string>,
  announce: (text: string) => void,
): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, name);
  button.addEventListener('click', () => {
    const tell = (text: string) => {
      button.textContent = text;
      announce(text);
      setTimeout(() => {
        button.textContent = name;
      }, shownMs);
    };
    read()
      .then((text) => navigator.clipboard.writeText(text))
      .then(
        () => tell('Copied'),
        () => tell('Not copied'),
      );
  });
  return button;
}

/**
 * Puts buttons to copy on blocks of code, and on guides as a whole. Browsers copy on https and this
 * machine only.
 */
export function installCopying(announce: (text: string) => void): void {
  if (!('clipboard' in navigator)) return;
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('pre');
    figure
      .querySelector('figcaption')
      ?.append(copyButton('Copy', () => Promise.resolve(code?.textContent ?? ''), announce));
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-markdown]')) {
    const path = place.dataset.markdown ?? '';
    place.append(
      copyButton(
        'Copy as Markdown',
        () =>
          fetch(path).then((answer) =>
            answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status))),
          ),
        announce,
      ),
    );
  }
}
