type Open = (link: HTMLAnchorElement) => void;

/**
 * Opens links with `data-drawer` by what `load` brings. Without it they lead to their pages, as
 * without a script.
 */
export function installDrawerLinks(load: () => Promise<Open>): void {
  document.addEventListener('click', (event) => {
    const { target, button, defaultPrevented } = event;
    const link =
      target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-drawer]') : null;
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // Links within a form fill that form: in its drawer, or as a page.
    if (link?.dataset.drawer === 'stay' && !link.closest('dialog')) return;
    if (!link || button !== 0 || defaultPrevented || opensElsewhere) return;
    event.preventDefault();
    load().then(
      (open) => open(link),
      () => location.assign(link.href),
    );
  });
}
