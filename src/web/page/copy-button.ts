import { element } from './elements.ts';
import { texts } from './texts/en.ts';

const feedbackMs = 2000;

/** Whether the page may copy: browsers allow it only on HTTPS and localhost. */
export const canCopy = (): boolean => 'clipboard' in navigator;

/** Creates a button for `installCopyButtons`. */
export const copyButton = (label: string): HTMLButtonElement =>
  element(
    'button',
    { type: 'button', class: 'btn btn-ghost btn-small copy', 'data-copies': label },
    label,
  );

/**
 * Makes the copy buttons in elements of a selector work: they copy the text from `read`, and report
 * whether that worked.
 */
export function installCopyButtons(
  selector: string,
  read: (element: HTMLElement) => Promise<string>,
  announce: (text: string) => void,
): void {
  document.addEventListener('click', ({ target }) => {
    const button =
      target instanceof Element ? target.closest<HTMLElement>('button[data-copies]') : null;
    const container = button?.closest<HTMLElement>(selector);
    if (!button || !container) return;
    const report = (text: string) => {
      button.textContent = text;
      announce(text);
      setTimeout(() => {
        button.textContent = button.dataset.copies ?? '';
      }, feedbackMs);
    };
    void read(container)
      .then((text) => navigator.clipboard.writeText(text))
      .then(
        () => report(texts.copy.done),
        () => report(texts.copy.failed),
      );
  });
}
