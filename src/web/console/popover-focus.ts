const fields = 'input:not([type=hidden]), select, textarea';

/**
 * Puts the focus into a form that opens over the page, and closes it when the focus leaves it, so
 * that nobody walks on behind it.
 */
export function installPopoverFocus(): void {
  // `toggle` does not bubble.
  document.addEventListener(
    'toggle',
    ({ target, newState }) => {
      if (newState !== 'open' || !(target instanceof HTMLElement)) return;
      if (target.matches('[popover][role=dialog]'))
        target.querySelector<HTMLElement>(fields)?.focus();
    },
    { capture: true },
  );
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const popover = target instanceof Element ? target.closest('[popover][role=dialog]') : null;
    if (!(popover instanceof HTMLElement) || !(relatedTarget instanceof Element)) return;
    const isOpener = relatedTarget.getAttribute('popovertarget') === popover.id;
    if (!popover.contains(relatedTarget) && !isOpener) popover.hidePopover();
  });
}
