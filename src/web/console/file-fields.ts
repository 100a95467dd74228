/**
 * Shows the file fields of a part of the page. The text of a chosen file fills the field that
 * `data-fills` names, and its name the one that `data-names` names; then the form is sent.
 */
export function enhanceFileFields(part: ParentNode): void {
  for (const field of part.querySelectorAll<HTMLInputElement>('input[data-fills]')) {
    field.closest<HTMLElement>('[hidden]')?.removeAttribute('hidden');
    field.addEventListener('change', () => {
      const target = field.form?.elements.namedItem(field.dataset.fills ?? '');
      const file = field.files?.[0];
      const name = field.form?.elements.namedItem(field.dataset.names ?? '');
      if (file !== undefined && name instanceof HTMLInputElement) name.value = file.name;
      if (file === undefined || !(target instanceof HTMLTextAreaElement)) return;
      void file.text().then((text) => {
        target.value = text;
        field.form?.requestSubmit();
      });
    });
  }
}
