/** Makes `/` focus a search field, except while the user is typing. */
export function focusOnSlash(findField: () => HTMLElement | null): void {
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.matches('input, select, textarea, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    findField()?.focus();
  });
}
