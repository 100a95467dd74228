import { element } from '../../page/elements.ts';
import type { Group, Option } from './catalogue.ts';

/** The text with the part that was searched for marked. */
function marked(name: string, text: string): (Node | string)[] {
  const at = text === '' ? -1 : name.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return [name];
  const end = at + text.length;
  return [name.slice(0, at), element('mark', {}, name.slice(at, end)), name.slice(end)];
}

/** An icon from the sprite that the page itself uses. */
function iconOf(name: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const use = document.createElementNS(space, 'use');
  const sprite = document.querySelector('use')?.getAttribute('href')?.split('#')[0] ?? '';
  use.setAttribute('href', `${sprite}#${name}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

/** Opens what was chosen: follows its link, or sends its form. */
function open({ href, send }: Option, isNewTab: boolean): void {
  if (!send) {
    if (isNewTab) window.open(href, '_blank', 'noopener');
    else location.assign(href);
    return;
  }
  const form = element('form', { method: 'post', action: href });
  for (const [name, value] of Object.entries(send))
    form.append(element('input', { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}

/** The options of the combobox below its input (WAI-ARIA: combobox with a grouped listbox). */
export function createOptions(input: HTMLInputElement, list: HTMLElement) {
  let options: Option[] = [];
  let items: HTMLElement[] = [];
  let active = 0;

  function activate(at: number): void {
    active = Math.max(0, Math.min(at, items.length - 1));
    for (const [index, item] of items.entries()) item.ariaSelected = String(index === active);
    const item = items[active];
    if (!item) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    input.setAttribute('aria-activedescendant', item.id);
    // The first one is shown with its heading.
    (active === 0 ? list.firstElementChild : item)?.scrollIntoView({ block: 'nearest' });
  }

  function choose(isNewTab = false, at = active): void {
    const option = options[at];
    if (option) open(option, isNewTab);
  }

  function itemOf(option: Option, at: number, text: string): HTMLElement {
    const { name, hint, icon } = option;
    const item = element(
      'div',
      { id: `palette-${at}`, role: 'option', class: 'palette-option' },
      iconOf(icon),
      element('span', { class: 'palette-name' }, ...marked(name, text)),
      ...(hint ? [element('span', { class: 'palette-hint' }, ...marked(hint, text))] : []),
    );
    item.addEventListener('click', (event) => choose(event.ctrlKey || event.metaKey, at));
    item.addEventListener('pointermove', () => {
      if (at !== active) activate(at);
    });
    return item;
  }

  return {
    choose,
    count: (): number => options.length,
    /** Shows groups. Activates the first option, or keeps the active position. */
    show(groups: readonly Group[], text = '', keepsActive = false): void {
      const kept = keepsActive ? active : 0;
      options = groups.flatMap(({ places }) => places);
      items = [];
      list.replaceChildren(
        ...groups.map(({ title, places }, number) => {
          const id = `palette-group-${number}`;
          const own = places.map((place, at) => itemOf(place, items.length + at, text));
          items.push(...own);
          const heading = element('p', { id, role: 'presentation' }, title);
          return element('div', { role: 'group', 'aria-labelledby': id }, heading, ...own);
        }),
      );
      activate(kept);
    },
    /** Shows a sentence in place of options. */
    say(text: string): void {
      options = [];
      items = [];
      list.replaceChildren(element('p', { class: 'palette-said' }, text));
      activate(0);
    },
    move: (by: number): void => activate((active + items.length + by) % (items.length || 1)),
    first: (): void => activate(0),
    last: (): void => activate(items.length - 1),
  };
}

export type Options = ReturnType<typeof createOptions>;
