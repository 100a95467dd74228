import { element } from './developer-elements.ts';
import { type Place, search, type SearchIndex } from './developer-search.ts';

const most = 8;

function linkTo({ href, title, heading, text }: Place): HTMLAnchorElement {
  return element(
    'a',
    { href },
    element('b', {}, heading === '' ? title : heading),
    element('span', {}, heading === '' ? text : `${title} – ${text}`),
  );
}

/**
 * Lets a form of the search show what it finds while somebody types. Enter sends it all the same.
 */
export function enliven(form: HTMLFormElement, announce: (text: string) => void): void {
  const field = form.querySelector('input');
  const path = form.dataset.index;
  if (field === null || path === undefined) return;
  const list = element('div', { class: 'found', role: 'group', 'aria-label': 'Found', hidden: '' });
  form.append(list);
  form.classList.add('live');
  let index: Promise<SearchIndex> | undefined;
  // The answer is of our own build.
  const load = () =>
    (index ??= fetch(path).then((answer) => answer.json() as Promise<SearchIndex>));
  const links = () => [...list.querySelectorAll('a')];
  const close = () => {
    list.hidden = true;
  };

  async function show(): Promise<void> {
    const query = field?.value.trim() ?? '';
    if (query.length < 2) {
      close();
      return;
    }
    const known = await load().catch(() => (index = undefined));
    // Without the index the form still works; and what was typed meanwhile has a show of its own.
    if (known === undefined || query !== field?.value.trim()) return;
    const places = search(known, query, most);
    list.replaceChildren(
      ...(places.length === 0 ? [element('p', {}, 'Nothing was found.')] : places.map(linkTo)),
    );
    list.hidden = false;
    announce(
      places.length === 0 ? 'Nothing was found.' : `${places.length} found. Arrow keys choose.`,
    );
  }

  function move(by: number): void {
    const stops: HTMLElement[] = field === null ? [] : [field, ...links()];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  }

  field.addEventListener('input', () => void show());
  field.addEventListener('focus', () => void load().catch(() => (index = undefined)));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
      field.focus();
    } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    }
  });
  list.addEventListener('click', close);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) close();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) close();
  });
}

/** `/` goes to the search, as on many pages of developers; not while something is written. */
export function listenForSlash(field: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const isWriting =
      event.target instanceof HTMLElement &&
      event.target.matches('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
