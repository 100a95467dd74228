import type { DeviceFetch } from '../device-proof.ts';
import { focusOnSlash } from '../../page/slash-key.ts';
import { catalogueOf } from './catalogue.ts';
import { createLookUp } from './look-up.ts';
import { createOptions } from './options.ts';
import { noteRecent } from './recent.ts';

/**
 * Installs the search that Ctrl-K, Cmd-K, `/` and the field in the header open. `announce` tells
 * screen readers how much was found.
 */
export function installPalette(deviceFetch: DeviceFetch, announce: (text: string) => void): void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const input = dialog?.querySelector<HTMLInputElement>('input');
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]');
  const opener = document.querySelector<HTMLElement>('#open-palette');
  if (!dialog || !input || !list || !opener) return;
  noteRecent();
  const options = createOptions(input, list);
  const lookUp = createLookUp(deviceFetch, catalogueOf(dialog), { options, announce });
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: () => options.move(1),
    ArrowUp: () => options.move(-1),
    Home: () => options.first(),
    End: () => options.last(),
    Enter: (event) => lookUp.choose(event.ctrlKey || event.metaKey),
  };

  function open(): void {
    if (dialog?.open || !input) return;
    input.value = '';
    dialog?.showModal();
    lookUp.find('');
    input.focus();
  }

  input.addEventListener('input', () => lookUp.find(input.value.trim()));
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act(event);
  });
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
