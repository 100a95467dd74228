import { element } from './elements.ts';

const feedbackMs = 2000;

/** Whether the page may copy: browsers allow it only on HTTPS and localhost. */
export const canCopy = (): boolean => 'clipboard' in navigator;

/** Creates a button that copies the text from `read`, and reports whether that worked. */
export function copyButton(
  label: string,
  read: () => Promise<string>,
  announce: (text: string) => void,
): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'btn btn-ghost btn-small copy' },
    label,
  );
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
        () => report('Couldn’t copy'),
      );
  return button;
}
