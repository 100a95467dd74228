import { focusOnSlash } from '../../page/slash-key.ts';
import { noteRecent } from './recent.ts';

/**
 * Installs the search that Ctrl-K, Cmd-K, `/` and the field in the header open. It takes what is
 * typed at once; `load` brings what finds it.
 */
export function installPaletteOpener(load: () => Promise<unknown>): void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const input = dialog?.querySelector<HTMLInputElement>('input');
  const opener = document.querySelector<HTMLElement>('#open-palette');
  if (!dialog || !input || !opener) return;
  noteRecent();

  function open(): void {
    if (!dialog || !input || dialog.open) return;
    input.value = '';
    dialog.showModal();
    input.focus();
    load().catch(() => location.assign(opener?.getAttribute('href') ?? ''));
  }

  // A click on the dialog itself is one beside its content.
  dialog.addEventListener('click', ({ target }) => {
    const isClose = target instanceof Element && target.closest('.palette-close');
    if (isClose || target === dialog) dialog.close();
  });
  opener.role = 'button';
  opener.ariaHasPopup = 'dialog';
  opener.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  opener.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    open();
  });
  if (/Mac|iPhone|iPad/.test(navigator.platform))
    opener.querySelector('kbd')?.replaceChildren('⌘ K');
  focusOnSlash(() => {
    open();
    return null;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
}
