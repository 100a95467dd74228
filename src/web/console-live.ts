import type { Ask } from './console-proof.ts';

const leastMs = 1500;
const pausePerLook = 4;
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * What an element is about: rows come and go, so that a place in the list says nothing, and a key
 * pressed must never meet another row.
 */
function meaningOf(element: Element): string {
  const form = element.closest('form') ?? element.closest('details')?.querySelector('form');
  const carried = [...(form?.querySelectorAll('input[type=hidden]') ?? [])].map(
    ({ outerHTML }) => outerHTML,
  );
  const own = element.matches('details') ? element.querySelector('summary') : element;
  return [
    element.closest('tr')?.querySelector('th')?.textContent,
    form?.getAttribute('action'),
    ...carried,
    own?.outerHTML,
  ].join('\n');
}

/** Puts a newer part in the place of one, and keeps what was open and focused in it. */
function replacePart(part: Element, newer: Element): void {
  if (part.outerHTML === newer.outerHTML) return;
  const open = new Map(
    [...part.querySelectorAll('details')].map((each) => [meaningOf(each), each.open]),
  );
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const meaning = focused ? meaningOf(focused) : '';
  part.replaceWith(newer);
  for (const each of newer.querySelectorAll('details'))
    each.open = open.get(meaningOf(each)) ?? each.open;
  if (!focused) return;
  const again = [...newer.querySelectorAll<HTMLElement>(focusable)].find(
    (each) => meaningOf(each) === meaning,
  );
  // What is gone can't be focused: the part is where it was.
  if (!again && newer instanceof HTMLElement) newer.tabIndex = -1;
  (again ?? (newer instanceof HTMLElement ? newer : undefined))?.focus({ preventScroll: true });
}

/** Whether somebody has filled in something that a newer page would not have. */
function isFilled(field: Element): boolean {
  if (field instanceof HTMLSelectElement)
    return (
      field.selectedIndex !==
      Math.max(
        0,
        [...field.options].findIndex(({ defaultSelected }) => defaultSelected),
      )
    );
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type))
    return field.checked !== field.defaultChecked;
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    field.value !== field.defaultValue
  );
}

const fields = 'input, select, textarea';
const isTyping = (part: Element): boolean =>
  part.contains(document.activeElement) && document.activeElement?.matches(fields) === true;
const isInUse = (part: Element): boolean =>
  isTyping(part) || [...part.querySelectorAll(fields)].some(isFilled);

/**
 * Keeps the parts of the page with `data-live` as the server would show them now. Gives the
 * function that asks for it.
 */
export function keepLive(ask: Ask, changed: (part: ParentNode) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  async function look(): Promise<void> {
    const answer = await ask(location.href);
    // Signed out, or the device has to prove itself: the way there is the page's own.
    if (answer.redirected || answer.status === 204) {
      location.reload();
      return;
    }
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('main [data-live][id]')) {
      const newer = page.getElementById(part.id);
      if (!newer || isInUse(part)) continue;
      changed(newer);
      replacePart(part, document.adoptNode(newer));
    }
  }

  function soon(): void {
    if (timer !== undefined || document.hidden) return;
    timer = setTimeout(
      () => {
        const began = performance.now();
        look()
          .catch(() => undefined)
          .finally(() => {
            timer = undefined;
            // What takes long is asked for less often: many open pages must not keep the service
            // busy.
            notBefore = Math.max(
              began + leastMs,
              performance.now() + pausePerLook * (performance.now() - began),
            );
          });
      },
      Math.max(50, notBefore - performance.now()),
    );
  }

  const every = Number(document.querySelector<HTMLElement>('main')?.dataset.every ?? 0);
  if (every > 0) setInterval(soon, every * 1000);
  document.addEventListener('visibilitychange', soon);
  return soon;
}
