import type { DeviceFetch } from './device-proof.ts';

const minIntervalMs = 1500;
/** Pauses are this many times as long as the last refresh took. */
const pauseFactor = 4;
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
const fields = 'input, select, textarea';

/** A key for an element. Rows come and go: a pressed key must never reach another row. */
function identityOf(element: Element): string {
  const form = element.closest('form') ?? element.closest('details')?.querySelector('form');
  const hidden = [...(form?.querySelectorAll('input[type=hidden]') ?? [])].map(
    ({ outerHTML }) => outerHTML,
  );
  const own = element.matches('details') ? element.querySelector('summary') : element;
  return [
    element.closest('tr')?.querySelector('th')?.textContent,
    form?.getAttribute('action'),
    ...hidden,
    own?.outerHTML,
  ].join('\n');
}

/**
 * Replaces a part, keeping open details and focus. idiomorph would add 3.4 KB gzip to 8.6, and
 * match rows without an id by position.
 */
function replacePart(part: Element, newer: Element): void {
  if (part.outerHTML === newer.outerHTML) return;
  const open = new Map(
    [...part.querySelectorAll('details')].map((each) => [identityOf(each), each.open]),
  );
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const identity = focused ? identityOf(focused) : '';
  part.replaceWith(newer);
  for (const each of newer.querySelectorAll('details'))
    each.open = open.get(identityOf(each)) ?? each.open;
  if (!focused) return;
  const again = [...newer.querySelectorAll<HTMLElement>(focusable)].find(
    (each) => identityOf(each) === identity,
  );
  // An element that is gone can't be focused: the part stands in its place.
  if (!again && newer instanceof HTMLElement) newer.tabIndex = -1;
  (again ?? (newer instanceof HTMLElement ? newer : undefined))?.focus({ preventScroll: true });
}

/** Whether a field has a value that the server did not give it. */
function isFilled(field: Element): boolean {
  if (field instanceof HTMLSelectElement) {
    const preset = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, preset);
  }
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type))
    return field.checked !== field.defaultChecked;
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    field.value !== field.defaultValue
  );
}

const isTyping = (part: Element): boolean =>
  part.contains(document.activeElement) && document.activeElement?.matches(fields) === true;
const isInUse = (part: Element): boolean =>
  isTyping(part) || [...part.querySelectorAll(fields)].some(isFilled);

/** Runs `work` soon after each call, one run at a time, less often while runs take long. */
function createThrottle(work: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  async function run(): Promise<void> {
    const startedAt = performance.now();
    await work().catch(() => undefined);
    const now = performance.now();
    timer = undefined;
    // Many open pages must not keep the service busy.
    notBefore = Math.max(startedAt + minIntervalMs, now + pauseFactor * (now - startedAt));
  }

  return () => {
    if (timer !== undefined || document.hidden) return;
    timer = setTimeout(() => void run(), Math.max(50, notBefore - performance.now()));
  };
}

/** Refreshes the `data-live` parts of the page, except those being filled in. Gives the trigger. */
export function installLiveParts(
  deviceFetch: DeviceFetch,
  enhance: (part: ParentNode) => void,
): () => void {
  const refresh = createThrottle(async () => {
    const answer = await deviceFetch(location.href);
    // The session is over, or the device has to prove itself: only a load of the page leads there.
    if (answer.redirected || answer.status === 204) {
      location.reload();
      return;
    }
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('main [data-live][id]')) {
      const newer = page.getElementById(part.id);
      if (!newer || isInUse(part)) continue;
      enhance(newer);
      replacePart(part, document.adoptNode(newer));
    }
  });
  const seconds = Number(document.querySelector<HTMLElement>('main')?.dataset.every ?? 0);
  if (seconds > 0) setInterval(refresh, seconds * 1000);
  document.addEventListener('visibilitychange', refresh);
  return refresh;
}
