/**
 * Scrolls lists of links that are longer than their place (`bars`, a selector) to the current one.
 * The page itself does not move.
 */
export function showCurrentLinks(part: ParentNode, bars: string): void {
  for (const bar of part.querySelectorAll<HTMLElement>(bars)) {
    const link = bar.querySelector('[aria-current]');
    if (!link) continue;
    const [own, of] = [link.getBoundingClientRect(), bar.getBoundingClientRect()];
    if (bar.scrollWidth > bar.clientWidth)
      bar.scrollLeft += own.left - of.left - (bar.clientWidth - own.width) / 2;
    if (bar.scrollHeight > bar.clientHeight)
      bar.scrollTop += own.top - of.top - (bar.clientHeight - own.height) / 2;
  }
}
