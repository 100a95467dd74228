/**
 * Puts the text of a link with `data-text` into the field that its `data-inserts` names, in place
 * of what is selected there.
 */
export function installInserts(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-inserts]');
    if (!(link instanceof HTMLElement)) return;
    const { inserts = '', text = '' } = link.dataset;
    const field = document.getElementById(inserts);
    if (!(field instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    link.closest<HTMLElement>('[popover]')?.hidePopover();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
