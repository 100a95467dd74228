import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

const lists = '.bulk-list';

const boxesOf = (list: Element): HTMLInputElement[] => [
  ...list.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]'),
];

/** Adds a checkbox for all rows to the heads of tables whose rows have checkboxes. */
export function addSelectAll(part: ParentNode): void {
  for (const list of part.querySelectorAll(lists)) {
    const heading = list.querySelector('thead th');
    if (!heading || heading.querySelector('input') || boxesOf(list).length === 0) continue;
    const label = texts.selection.all;
    const box = element('input', { type: 'checkbox', class: 'row-check', 'aria-label': label });
    const title = element('span', {}, ...heading.childNodes);
    heading.replaceChildren(element('div', { class: 'pick' }, box, title));
  }
}

/** Shows how many rows are selected, in the bar and in the head's checkbox. */
function showSelection(list: Element): void {
  const boxes = boxesOf(list);
  const selected = boxes.filter(({ checked }) => checked).length;
  const all = list.querySelector<HTMLInputElement>('thead input[type=checkbox]');
  if (all) {
    all.checked = selected > 0 && selected === boxes.length;
    all.indeterminate = selected > 0 && selected < boxes.length;
  }
  const note = list.querySelector('.ticked');
  if (note) note.textContent = selected === 0 ? '' : texts.selection.selected({ selected });
}

/** Shows the selections of the page after its rows have changed. */
export function showSelections(): void {
  document.querySelectorAll(lists).forEach(showSelection);
}

/** Makes the checkboxes of `addSelectAll` and the button that clears the selection work. */
export function installRowSelection(): void {
  document.addEventListener('change', ({ target }) => {
    const list = target instanceof Element ? target.closest(lists) : null;
    if (!list || !(target instanceof HTMLInputElement)) return;
    if (target.closest('thead')) for (const box of boxesOf(list)) box.checked = target.checked;
    showSelection(list);
  });
  document.addEventListener('reset', ({ target }) => {
    const list = target instanceof Element ? target.closest(lists) : null;
    // The form resets its fields after the event.
    if (list) setTimeout(showSelection, 0, list);
  });
}
