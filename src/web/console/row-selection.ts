import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

const forms = 'form[data-select-all]';

const boxesOf = (form: Element): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]'),
];

/** Adds a checkbox for all rows to the heads of tables whose rows have checkboxes. */
export function addSelectAll(part: ParentNode): void {
  for (const form of part.querySelectorAll(forms)) {
    const heading = form.querySelector('thead th');
    if (!heading || heading.querySelector('input') || boxesOf(form).length === 0) continue;
    const id = `${heading.closest('table')?.id ?? 'rows'}-all`;
    const label = element(
      'label',
      { for: id },
      element('span', { class: 'visually-hidden' }, `${texts.selection.all} `),
      ...heading.childNodes,
    );
    const box = element('input', { type: 'checkbox', id });
    heading.replaceChildren(element('div', { class: 'form-check' }, box, label));
    form.querySelector('.btn-row')?.append(element('span', { class: 'ticked hint' }));
  }
}

/** Shows how many rows are selected, beside the buttons and in the head's checkbox. */
function showSelection(form: Element): void {
  const boxes = boxesOf(form);
  const selected = boxes.filter(({ checked }) => checked).length;
  const all = form.querySelector<HTMLInputElement>('thead input[type=checkbox]');
  if (all) {
    all.checked = selected > 0 && selected === boxes.length;
    all.indeterminate = selected > 0 && selected < boxes.length;
  }
  const note = form.querySelector('.ticked');
  if (note)
    note.textContent =
      selected === 0 ? '' : texts.selection.selected({ selected, count: boxes.length });
}

/** Shows the selections of the page after its rows have changed. */
export function showSelections(): void {
  document.querySelectorAll(forms).forEach(showSelection);
}

/** Makes the checkboxes of `addSelectAll` work. */
export function installRowSelection(): void {
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof Element ? target.closest(forms) : null;
    if (!form || !(target instanceof HTMLInputElement)) return;
    if (target.closest('thead')) for (const box of boxesOf(form)) box.checked = target.checked;
    showSelection(form);
  });
}
