/** Makes the charts of a part of the page reachable by keyboard. */
export function enableCharts(part: ParentNode): void {
  for (const plot of part.querySelectorAll<HTMLElement>('.chart .plot')) {
    const name = plot.querySelector('svg[role]')?.getAttribute('aria-label') ?? '';
    plot.tabIndex = 0;
    plot.setAttribute('role', 'application');
    plot.setAttribute('aria-label', name);
  }
}
