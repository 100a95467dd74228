import { element } from '../page/elements.ts';
import type { DeviceFetch } from './device-proof.ts';

const pauseMs = 200;
const minLength = 2;

interface Answer {
  name: string;
  hint: string;
  group: string;
}

/**
 * Suggests people to fields with `data-suggest`, which names the kind of search results to offer.
 * The browser shows the suggestions; an address means exactly one person.
 */
export function installSuggestions(deviceFetch: DeviceFetch): void {
  let timer = 0;
  let last = 0;

  async function suggest(input: HTMLInputElement, kind: string, number: number): Promise<void> {
    const response = await deviceFetch('/api/svc/console/search', {
      method: 'POST',
      body: new URLSearchParams({ q: input.value.trim() }),
      accept: 'application/json',
    });
    if (!response.ok || number !== last) return;
    const { data } = (await response.json()) as { data: Answer[] };
    const list = listOf(input);
    list.replaceChildren(
      ...data
        .filter(({ group }) => group === kind)
        .map(({ name, hint }) =>
          hint.includes('@')
            ? element('option', { value: hint }, name)
            : element('option', { value: name }),
        ),
    );
  }

  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const kind = target.dataset.suggest;
    if (kind === undefined) return;
    clearTimeout(timer);
    const number = (last += 1);
    if (target.value.trim().length < minLength) return;
    timer = window.setTimeout(() => {
      suggest(target, kind, number).catch(() => undefined);
    }, pauseMs);
  });
}

function listOf(input: HTMLInputElement): HTMLDataListElement {
  if (input.list) return input.list;
  const list = element('datalist', { id: `${input.id}-suggestions` });
  input.after(list);
  input.setAttribute('list', list.id);
  return list;
}
