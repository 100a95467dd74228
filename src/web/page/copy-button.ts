import { element } from './elements.ts';

const feedbackMs = 2000;

/** Whether the page may copy: browsers allow it on https and on this machine only. */
export const canCopy = (): boolean => 'clipboard' in navigator;

/** A button that copies the text that `read` gives, and says whether that worked. */
export function copyButton(
  label: string,
  className: string,
  read: () => Promise<string>,
  announce: (text: string) => void,
): HTMLButtonElement {
  const button = element('button', { type: 'button', class: className }, label);
  const report = (text: string) => {
    button.textContent = text;
    announce(text);
    setTimeout(() => {
      button.textContent = label;
    }, feedbackMs);
  };
  button.onclick = () =>
    void read()
      .then((text) => navigator.clipboard.writeText(text))
      .then(
        () => report('Copied'),
        () => report('Not copied'),
      );
  return button;
}
