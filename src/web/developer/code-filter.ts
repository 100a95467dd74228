/** Whether the row has all words. */
const matches = (row: Element, words: readonly string[]): boolean => {
  const text = row.textContent.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** Makes the field above the error codes hide the others, and the areas without any. */
export function installCodeFilter(): void {
  const field = document.querySelector<HTMLInputElement>('#code-filter');
  const count = document.querySelector<HTMLElement>('#code-filter-count');
  field?.addEventListener('input', () => {
    const words = field.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    let found = 0;
    for (const heading of document.querySelectorAll<HTMLElement>('.error-codes > h2')) {
      const part = heading.nextElementSibling;
      const rows = [...(part?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
      for (const row of rows) row.hidden = !matches(row, words);
      const shown = rows.filter((row) => !row.hidden).length;
      heading.hidden = shown === 0;
      part?.toggleAttribute('hidden', shown === 0);
      found += shown;
    }
    if (count) count.textContent = words.length === 0 ? '' : `${found} ${count.dataset.what ?? ''}`;
  });
  document.querySelector('#code-filter-box')?.removeAttribute('hidden');
}
