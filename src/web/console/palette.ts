import { element } from '../page/elements.ts';
import type { DeviceFetch } from './device-proof.ts';

interface Place {
  name: string;
  hint: string;
  href: string;
}

interface Catalogue {
  places: Place[];
  /** Address of the server's search. */
  search: string;
}

const maxPlaces = 12;

function catalogueOf(dialog: Element): Catalogue {
  const text = dialog.nextElementSibling?.textContent;
  return text ? (JSON.parse(text) as Catalogue) : { places: [], search: '' };
}

/** Whether the name or hint of a place contains every word of a query. */
const matches =
  (query: string) =>
  ({ name, hint }: Place): boolean =>
    query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${name} ${hint}`.toLowerCase().includes(word));

/** The options of the combobox below its input (WAI-ARIA: combobox with a listbox). */
function createOptions(input: HTMLInputElement, list: HTMLElement) {
  let shown: Place[] = [];
  let active = 0;

  function render(): void {
    list.replaceChildren(
      ...shown.map(({ name, hint }, at) => {
        const id = `palette-${at}`;
        const item = element('li', { id, role: 'option' }, name, element('span', {}, hint));
        item.ariaSelected = String(at === active);
        item.onclick = () => choose(at);
        return item;
      }),
    );
    if (shown.length > 0) input.setAttribute('aria-activedescendant', `palette-${active}`);
    else input.removeAttribute('aria-activedescendant');
    document.getElementById(`palette-${active}`)?.scrollIntoView({ block: 'nearest' });
  }

  function choose(at = active): void {
    const place = shown[at];
    if (place) location.assign(place.href);
  }

  return {
    choose,
    /** Shows places. Activates the first one, or keeps the active position. */
    show(places: Place[], keepsActive = false): void {
      shown = places.slice(0, maxPlaces);
      active = keepsActive ? Math.min(active, Math.max(0, shown.length - 1)) : 0;
      render();
    },
    move(by: number): void {
      const count = Math.max(1, shown.length);
      active = (active + count + by) % count;
      render();
    },
  };
}

type Options = ReturnType<typeof createOptions>;

/** Creates a search that shows matching places, then adds those that the server finds. */
function createLookUp(deviceFetch: DeviceFetch, { places, search }: Catalogue, options: Options) {
  let lastLookUp = 0;
  return async (query: string): Promise<void> => {
    const matching = places.filter(matches(query));
    options.show(matching);
    const thisLookUp = (lastLookUp += 1);
    if (query.length < 2) return;
    const response = await deviceFetch(search, {
      method: 'POST',
      body: new URLSearchParams({ q: query }),
      accept: 'application/json',
    });
    if (!response.ok || thisLookUp !== lastLookUp) return;
    const { data } = (await response.json()) as { data: Place[] };
    const isNew = ({ href }: Place) => matching.every((each) => each.href !== href);
    options.show([...matching, ...data.filter(isNew)], true);
  };
}

/** Installs the list of places that Ctrl-K opens. */
export function installPalette(deviceFetch: DeviceFetch): void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const input = dialog?.querySelector<HTMLInputElement>('input');
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]');
  const button = document.querySelector<HTMLElement>('#open-palette');
  if (!dialog || !input || !list || !button) return;
  const catalogue = catalogueOf(dialog);
  const options = createOptions(input, list);
  const lookUp = createLookUp(deviceFetch, catalogue, options);
  const keys: Record<string, () => void> = {
    ArrowDown: () => options.move(1),
    ArrowUp: () => options.move(-1),
    Enter: () => options.choose(),
  };

  function open(): void {
    if (dialog?.open || !input) return;
    input.value = '';
    options.show(catalogue.places);
    dialog?.showModal();
    input.focus();
  }

  input.addEventListener('input', () => void lookUp(input.value.trim()).catch(() => undefined));
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  button.hidden = false;
  button.onclick = open;
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
}
