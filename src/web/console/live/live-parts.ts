import type { DeviceFetch } from '../device-proof.ts';
import { isDrawerOpen } from '../forms/drawer.ts';

const minIntervalMs = 1500;
/** The pause after a refresh is this multiple of its duration. */
const pauseFactor = 4;

/** Where the focused element has gone, its part gets the focus. */
function focusPart(part: HTMLElement | null): void {
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

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
    if (timer !== undefined || document.hidden || isDrawerOpen()) return;
    timer = setTimeout(() => void run(), Math.max(50, notBefore - performance.now()));
  };
}

export interface LivePartsOptions {
  /** Adds the scripted features to a part before it is shown. Listeners on it would be lost. */
  enhance: (part: ParentNode) => void;
  /** Called when parts may have changed. */
  onRefreshed: () => void;
}

/** Follows links with `data-soft` by `load`: their pages differ in live parts only. */
function followSoftLinks(load: () => Promise<void>): void {
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const link =
      target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-soft]') : null;
    if (!link || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    const row = link.closest('ul')?.querySelectorAll('a') ?? [];
    for (const each of row) each.ariaCurrent = each === link ? 'true' : null;
    load().catch(() => location.reload());
  });
  addEventListener('popstate', () => void load().catch(() => location.reload()));
}

/** Refreshes the `data-live` parts of the page. Returns the trigger. */
export function installLiveParts(
  deviceFetch: DeviceFetch,
  { enhance, onRefreshed }: LivePartsOptions,
): () => void {
  async function load(): Promise<void> {
    const { href } = location;
    const response = await deviceFetch(href);
    // Leaving the page would lose what is being typed. After a soft link, this is another page.
    if (isDrawerOpen() || location.href !== href) return;
    // The session has ended or the device is not cleared: only a page load leads to the right page.
    if (response.redirected || response.status === 204) {
      location.reload();
      return;
    }
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const { morphPart } = await import('../../page/morph.ts');
    for (const part of document.querySelectorAll('main [data-live][id]')) {
      const newer = page.getElementById(part.id);
      if (!newer) continue;
      enhance(newer);
      morphPart(part, newer, focusPart);
    }
    onRefreshed();
  }

  const refresh = createThrottle(load);
  followSoftLinks(load);
  const seconds = Number(document.querySelector<HTMLElement>('main')?.dataset.every ?? 0);
  if (seconds > 0) setInterval(refresh, seconds * 1000);
  document.addEventListener('visibilitychange', refresh);
  return refresh;
}
