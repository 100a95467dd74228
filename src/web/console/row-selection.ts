import { element } from '../page/elements.ts';

const boxesOf = (form: Element): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]'),
];

/** Adds a checkbox for all rows to the table's head. */
function addSelectAll(form: Element): void {
  const heading = form.querySelector('thead th');
  if (!heading || heading.querySelector('input') || boxesOf(form).length === 0) return;
  const label = element(
    'label',
    { class: 'pick' },
    element('input', { type: 'checkbox' }),
    element('span', { class: 'spoken' }, 'Select all: '),
    ...heading.childNodes,
  );
  heading.replaceChildren(label);
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
  let note = form.querySelector('.ticked');
  if (!note) {
    note = element('span', { class: 'ticked hint' });
    form.querySelector('.row')?.append(note);
  }
  note.textContent = selected === 0 ? '' : `${selected} of ${boxes.length} selected`;
}

/** Lets all rows of a table be selected at once, if they have checkboxes. */
export function installRowSelection(part: ParentNode): void {
  for (const form of part.querySelectorAll('form[data-select-all]')) {
    addSelectAll(form);
    form.addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest('thead')) for (const box of boxesOf(form)) box.checked = target.checked;
      showSelection(form);
    });
  }
}
