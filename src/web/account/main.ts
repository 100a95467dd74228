// The pages of your own account: times in the visitor's zone, and buttons for backup codes.
import { createAnnouncer } from '../page/announcer.ts';
import { canCopy } from '../page/copy-button.ts';
import { showCurrentLinks } from '../page/current-link.ts';
import { localizeTimes } from '../page/local-times.ts';
import { texts } from '../page/texts/en.ts';

const announce = createAnnouncer();

const codesText = (): string =>
  [...document.querySelectorAll('.codes li')].map((code) => code.textContent).join('\n');

function copyCodes(button: HTMLElement): void {
  const label = button.lastChild;
  const before = label?.textContent ?? '';
  const report = (text: string) => {
    announce(text);
    if (label) label.textContent = text;
    setTimeout(() => {
      if (label) label.textContent = before;
    }, 2000);
  };
  navigator.clipboard.writeText(codesText()).then(
    () => report(texts.copy.done),
    () => report(texts.copy.failed),
  );
}

/** Shows the buttons that need a script, and makes them work. */
function installCodeButtons(row: HTMLElement): void {
  const template = row.querySelector('template');
  if (template) row.append(template.content.cloneNode(true));
  if (!canCopy()) row.querySelector('[data-do=copy]')?.remove();
  row.addEventListener('click', ({ target }) => {
    const button =
      target instanceof Element ? target.closest<HTMLElement>('button[data-do]') : null;
    if (button?.dataset.do === 'copy') copyCodes(button);
    if (button?.dataset.do === 'print') print();
  });
}

localizeTimes(document);
showCurrentLinks(document, '.frame-aside .nav');
for (const row of document.querySelectorAll<HTMLElement>('[data-codes-actions]'))
  installCodeButtons(row);
