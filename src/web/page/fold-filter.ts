const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** Hides the lines of a fold without all words, and opens it if others are left. */
function narrow(fold: HTMLDetailsElement, words: readonly string[], wasOpen: boolean): number {
  let found = 0;
  for (const line of fold.querySelectorAll<HTMLElement>(':scope > .fold-body > ul > li')) {
    // Of a line that is a fold itself, what one sees before it is opened.
    const text = (line.querySelector('summary') ?? line).textContent.toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
    if (!line.hidden) found += 1;
  }
  fold.hidden = found === 0;
  fold.open = words.length === 0 ? wasOpen : found > 0;
  return found;
}

/** Makes the field above folds hide the lines that don't match, and parts without any. */
export function installFoldFilter(): void {
  const field = document.querySelector<HTMLInputElement>('#fold-filter');
  const count = document.querySelector<HTMLElement>('#fold-filter-count');
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('.fold:not(.fold .fold)')];
  let openBefore = new Set<HTMLDetailsElement>();
  let isFiltered = false;
  field?.addEventListener('input', () => {
    const words = wordsOf(field.value);
    if (!isFiltered) openBefore = new Set(folds.filter(({ open }) => open));
    isFiltered = words.length > 0;
    const found = folds.reduce((sum, fold) => sum + narrow(fold, words, openBefore.has(fold)), 0);
    for (const group of document.querySelectorAll<HTMLElement>('.fold-group'))
      group.hidden = group.querySelector('.fold:not([hidden])') === null;
    if (count) count.textContent = isFiltered ? `${found} ${count.dataset.what ?? ''}` : '';
  });
  document.querySelector('#fold-filter-box')?.removeAttribute('hidden');
}
