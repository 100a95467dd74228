/** Returns a function that calls another one once, at its first call. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}

const forget = (): undefined => undefined;

/** What to load for the elements of a selector. */
export type Need = readonly [selector: string, load: () => Promise<unknown>];

/** Returns what loads the needs of a part of the page, each one once. */
export function createNeeds(needs: readonly Need[]): (part: ParentNode) => void {
  const open = new Map(needs);
  return (part) => {
    for (const [selector, load] of open) {
      if (part.querySelector(selector) === null) continue;
      open.delete(selector);
      void load().catch(forget);
    }
  };
}

/** What to load when an element of a selector is reached, by this event. */
export type Reached = readonly [selector: string, load: (event: Event) => Promise<unknown>];

/** Loads needs as soon as the pointer or the focus reaches an element: before it is used. */
export function loadWhenReached(needs: readonly Reached[]): void {
  const open = new Map(needs);
  const look = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    for (const [selector, load] of open) {
      if (target.closest(selector) === null) continue;
      open.delete(selector);
      void load(event).catch(forget);
    }
  };
  for (const type of ['pointerover', 'focusin'])
    document.addEventListener(type, look, { capture: true, passive: true });
}
