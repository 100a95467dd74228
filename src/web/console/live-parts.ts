import type { DeviceFetch } from './device-proof.ts';

const minIntervalMs = 1500;
/** The pause after a refresh is this multiple of its duration. */
const pauseFactor = 4;
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
const fields = 'input, select, textarea';

/** Identifies an element across refreshes, so that focus never moves to another row. */
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
 * Replaces a part, keeping open details and focus. idiomorph would add 3.4 KB (gzip) to 8.6 KB, and
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
  const counterpart = [...newer.querySelectorAll<HTMLElement>(focusable)].find(
    (each) => identityOf(each) === identity,
  );
  // If the focused element is gone, focus the part instead.
  if (!counterpart && newer instanceof HTMLElement) newer.tabIndex = -1;
  (counterpart ?? (newer instanceof HTMLElement ? newer : undefined))?.focus({
    preventScroll: true,
  });
}

/** Whether the user has changed a field. */
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

/** Runs `work` soon after each call, one run at a time, and less often when runs take long. */
function createThrottle(work: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  async function run(): Promise<void> {
    const startedAt = performance.now();
    await work().catch(() => undefined);
    const now = performance.now();
    timer = undefined;
    // Many open pages must not overload the service.
    notBefore = Math.max(startedAt + minIntervalMs, now + pauseFactor * (now - startedAt));
  }

  return () => {
    if (timer !== undefined || document.hidden) return;
    timer = setTimeout(() => void run(), Math.max(50, notBefore - performance.now()));
  };
}

/** Refreshes the `data-live` parts of the page, except those in use. Returns the trigger. */
export function installLiveParts(
  deviceFetch: DeviceFetch,
  enhance: (part: ParentNode) => void,
): () => void {
  const refresh = createThrottle(async () => {
    const response = await deviceFetch(location.href);
    // The session has ended or the device is not cleared: only a page load leads to the right page.
    if (response.redirected || response.status === 204) {
      location.reload();
      return;
    }
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
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
