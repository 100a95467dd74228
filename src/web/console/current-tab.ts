const bars = '.tab-bar, .settings-nav ul';

/** Scrolls rows of tabs that are wider than the window to the current tab. */
export function showCurrentTabs(part: ParentNode): void {
  for (const tab of part.querySelectorAll<HTMLElement>(`:is(${bars}) [aria-current]`)) {
    const bar = tab.closest<HTMLElement>(bars);
    if (!bar || bar.scrollWidth <= bar.clientWidth) continue;
    const { left, width } = tab.getBoundingClientRect();
    bar.scrollLeft += left - bar.getBoundingClientRect().left - (bar.clientWidth - width) / 2;
  }
}
