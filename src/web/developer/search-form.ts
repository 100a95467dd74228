import { element } from '../page/elements.ts';
import { type Place, search, type SearchIndex } from './search.ts';
import { texts } from './texts/en.ts';

const maxPlaces = 8;

function linkTo({ href, title, heading, text }: Place): HTMLAnchorElement {
  return element(
    'a',
    { href },
    element('b', {}, heading === '' ? title : heading),
    element('span', {}, heading === '' ? text : title),
  );
}

/** Fetches the index once; after a failure the next call tries again. */
function createIndexLoader(path: string): () => Promise<SearchIndex | undefined> {
  let index: Promise<SearchIndex> | undefined;
  return async () => {
    try {
      // The build writes this file.
      index ??= fetch(path).then((response) => response.json() as Promise<SearchIndex>);
      return await index;
    } catch {
      index = undefined;
      return undefined;
    }
  };
}

/** Moves the focus between field and links by arrow keys; Escape closes the list. */
function installKeys(form: HTMLElement, field: HTMLElement, list: HTMLElement): void {
  const close = () => {
    list.hidden = true;
  };
  function move(by: number): void {
    const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  }
  form.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'Escape') {
      close();
      field.focus();
    } else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else return;
    event.preventDefault();
  });
  const closeOutside = (target: EventTarget | null) => {
    if (target instanceof Node && !form.contains(target)) close();
  };
  list.addEventListener('click', close);
  form.addEventListener('focusout', ({ relatedTarget }) => closeOutside(relatedTarget));
  document.addEventListener('click', ({ target }) => closeOutside(target));
}

/** Shows results below a search form while the user types. Enter still submits the form. */
export function installSearch(form: HTMLFormElement, announce: (text: string) => void): void {
  const field = form.querySelector<HTMLInputElement>('input[type=search]');
  const path = form.dataset.index;
  if (field === null || path === undefined) return;
  const list = element('div', {
    class: 'found',
    role: 'group',
    'aria-label': texts.search.results,
    hidden: '',
  });
  form.append(list);
  const loadIndex = createIndexLoader(path);
  const currentQuery = () => field.value.trim();

  async function show(): Promise<void> {
    const query = currentQuery();
    if (query.length < 2) {
      list.hidden = true;
      return;
    }
    const index = await loadIndex();
    // Without the index the form still works; later input has its own call.
    if (index === undefined || query !== currentQuery()) return;
    const places = search(index, query, maxPlaces);
    const { none, found } = texts.search;
    list.replaceChildren(...(places.length === 0 ? [element('p', {}, none)] : places.map(linkTo)));
    list.hidden = false;
    announce(places.length === 0 ? none : found({ count: places.length }));
  }

  field.addEventListener('input', () => void show());
  field.addEventListener('focus', () => void loadIndex());
  installKeys(form, field, list);
}
