/** Scrolls rows of tabs that are wider than the window to the current tab. */
export function showCurrentTabs(part: ParentNode): void {
  for (const tab of part.querySelectorAll<HTMLElement>('.tab-bar [aria-current]')) {
    const bar = tab.closest<HTMLElement>('.tab-bar');
    if (!bar || bar.scrollWidth <= bar.clientWidth) continue;
    const { left, width } = tab.getBoundingClientRect();
    bar.scrollLeft += left - bar.getBoundingClientRect().left - (bar.clientWidth - width) / 2;
  }
}
