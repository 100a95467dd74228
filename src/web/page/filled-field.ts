/** Whether the user has changed a field. */
export function isFilled(field: Element): boolean {
  if (field instanceof HTMLSelectElement) {
    const preset = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.options.length > 0 && field.selectedIndex !== Math.max(0, preset);
  }
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type))
    return field.checked !== field.defaultChecked;
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    field.value !== field.defaultValue
  );
}
