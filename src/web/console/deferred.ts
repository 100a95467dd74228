const parts = 'details noscript[data-deferred]';

/** Its content: text in a page with scripts, elements in one that was only parsed. */
const contentOf = (deferred: Element): string =>
  deferred.childElementCount > 0 ? deferred.innerHTML : deferred.textContent;

const show = (deferred: Element, content: string): void => {
  const { body } = new DOMParser().parseFromString(content, 'text/html');
  deferred.replaceWith(...[...body.childNodes].map((node) => document.adoptNode(node)));
};

/**
 * Holds back what the disclosures of a part have in `noscript`, which loads files of its own, until
 * they are open. Without a script it is there at once.
 */
export function holdDeferred(part: ParentNode): void {
  for (const deferred of part.querySelectorAll(parts)) {
    const content = contentOf(deferred);
    const id = deferred.closest('details')?.id ?? '';
    const shown = document.getElementById(id);
    if (shown instanceof HTMLDetailsElement && shown.open) show(deferred, content);
    else deferred.textContent = content;
  }
}

/** Shows what `holdDeferred` holds back when its disclosure is opened. */
export function installDeferred(): void {
  // `toggle` does not bubble.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      for (const deferred of target.querySelectorAll('noscript[data-deferred]'))
        show(deferred, contentOf(deferred));
    },
    { capture: true },
  );
}
