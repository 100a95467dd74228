import type { Ask } from './console-proof.ts';

const leastMs = 1500;
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Puts a newer part in the place of one, and keeps what was open and focused in it. */
function replacePart(part: Element, newer: Element): void {
  if (part.outerHTML === newer.outerHTML) return;
  const open = [...part.querySelectorAll('details')].map((each) => each.open);
  const at = [...part.querySelectorAll(focusable)].indexOf(document.activeElement ?? part);
  part.replaceWith(newer);
  newer.querySelectorAll('details').forEach((each, place) => { each.open = open[place] ?? each.open; });
  const focused = [...newer.querySelectorAll(focusable)][at];
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
}

/** Whether somebody is just filling in something that a newer page would not have. */
const isTyping = (part: Element): boolean => part.contains(document.activeElement) && document.activeElement?.matches('input, select, textarea') === true;
const isTicked = (part: Element): boolean => [...part.querySelectorAll<HTMLInputElement>('input[type=checkbox]')].some(({ checked, defaultChecked }) => checked !== defaultChecked);
const isInUse = (part: Element): boolean => isTyping(part) || isTicked(part);

/** Keeps the parts of the page with `data-live` as the server would show them now. Gives the function that asks for it. */
export function keepLive(ask: Ask, changed: (part: ParentNode) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = -leastMs;

  async function look(): Promise<void> {
    lastAt = performance.now();
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
    timer = setTimeout(() => {
      look().catch(() => undefined).finally(() => { timer = undefined; });
    }, Math.max(50, lastAt + leastMs - performance.now()));
  }

  const every = Number(document.querySelector<HTMLElement>('main')?.dataset.every ?? 0);
  if (every > 0) setInterval(soon, every * 1000);
  document.addEventListener('visibilitychange', soon);
  return soon;
}
