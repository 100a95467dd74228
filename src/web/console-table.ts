const boxesOf = (form: Element): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]'),
];

/** The box that stands for all boxes of a table: ticked with all of them, in between with some. */
function addBox(form: Element): void {
  const heading = form.querySelector('thead th');
  if (!heading || heading.querySelector('input') || boxesOf(form).length === 0) return;
  const label = document.createElement('label');
  const all = document.createElement('input');
  const spoken = document.createElement('span');
  all.type = 'checkbox';
  spoken.textContent = 'Select all: ';
  spoken.className = 'spoken';
  label.className = 'pick';
  label.append(all, spoken, ...heading.childNodes);
  heading.replaceChildren(label);
}

/** What is ticked, said at the buttons. */
function show(form: Element): void {
  const boxes = boxesOf(form);
  const ticked = boxes.filter(({ checked }) => checked).length;
  const all = form.querySelector<HTMLInputElement>('thead input[type=checkbox]');
  if (all) {
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  }
  let note = form.querySelector('.ticked');
  if (!note) {
    note = document.createElement('span');
    note.className = 'ticked hint';
    form.querySelector('.row')?.append(note);
  }
  note.textContent = ticked === 0 ? '' : `${ticked} of ${boxes.length} selected`;
}

/** Lets tables whose rows have a box be ticked at once. */
export function selectAll(part: ParentNode): void {
  for (const form of part.querySelectorAll('form[data-select-all]')) {
    addBox(form);
    form.addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest('thead')) for (const box of boxesOf(form)) box.checked = target.checked;
      show(form);
    });
  }
}
