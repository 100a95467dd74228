import type { DeviceFetch } from '../device-proof.ts';
import { catalogueOf } from './catalogue.ts';
import { createLookUp } from './look-up.ts';
import { createOptions } from './options.ts';

/**
 * Fills the search, and returns what fills it again for what its field has now. `announce` tells
 * screen readers how much was found.
 */
export function createPalette(
  deviceFetch: DeviceFetch,
  announce: (text: string) => void,
): () => void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const input = dialog?.querySelector<HTMLInputElement>('input');
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]');
  if (!dialog || !input || !list) return () => undefined;
  const options = createOptions(input, list);
  const lookUp = createLookUp(deviceFetch, catalogueOf(dialog), { options, announce });
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: () => options.move(1),
    ArrowUp: () => options.move(-1),
    Home: () => options.first(),
    End: () => options.last(),
    Enter: (event) => lookUp.choose(event.ctrlKey || event.metaKey),
  };
  const fill = (): void => lookUp.find(input.value.trim());
  input.addEventListener('input', fill);
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act(event);
  });
  return fill;
}
