import type { DeviceFetch } from './device-proof.ts';

/** How far outside of the screen a part is when it is fetched. */
const margin = '400px';
const refreshMs = 30_000;

/** The parts of the document that are on the same page as this one. */
const partsOf = (path: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main [data-late][id]')].filter(
    ({ dataset }) => dataset.late === path,
  );

/** Puts the parts of a page in their places, which keep the page's address. */
async function fill(path: string, page: Document, enhance: (part: ParentNode) => void) {
  const { morphPart } = await import('../page/morph.ts');
  for (const part of partsOf(path)) {
    const newer = page.getElementById(part.id);
    if (!newer) continue;
    newer.dataset.late = path;
    enhance(newer);
    morphPart(part, newer, () => undefined);
  }
}

/**
 * Fetches parts that are on pages of their own (`data-late`) when they come near the screen, and
 * again every 30 seconds while they are seen. What fails stays a link to its page.
 */
export function installLateParts(
  deviceFetch: DeviceFetch,
  enhance: (part: ParentNode) => void,
): void {
  const seen = new Set<HTMLElement>();
  const loading = new Set<string>();

  async function load(path: string): Promise<void> {
    if (loading.has(path)) return;
    loading.add(path);
    try {
      const response = await deviceFetch(path);
      if (!response.ok || response.redirected || response.status === 204) return;
      await fill(
        path,
        new DOMParser().parseFromString(await response.text(), 'text/html'),
        enhance,
      );
    } finally {
      loading.delete(path);
    }
  }
  const loadSeen = () => {
    const paths = new Set([...seen].flatMap((part) => part.dataset.late ?? []));
    for (const path of paths) void load(path).catch(() => undefined);
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      const before = seen.size;
      for (const { target, isIntersecting } of entries) {
        if (!(target instanceof HTMLElement)) continue;
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      if (seen.size > before) loadSeen();
    },
    { rootMargin: margin },
  );
  for (const part of document.querySelectorAll<HTMLElement>('main [data-late][id]'))
    watcher.observe(part);
  setInterval(() => {
    if (!document.hidden) loadSeen();
  }, refreshMs);
}
