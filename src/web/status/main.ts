// On a message from the channel the status pages fetch themselves again, replace the parts that
// differ, and announce news once to screen readers. Open details stay open, and the focused element
// keeps the focus.
import { element } from '../page/elements.ts';

const gapMs = 500;
const retryMs = 5000;

const find = (selector: string, from: ParentNode = document) =>
  from.querySelector<HTMLElement>(selector);
const partsOf = (page: Document) =>
  new Map([...page.querySelectorAll('[data-part]')].map((part) => [part.id, part]));
const closed = (part: Element) => part.outerHTML.replace(/ open=""/g, '');

const shown = new Map([...partsOf(document)].map(([id, part]) => [id, closed(part)]));
const news = element('p', { role: 'status', class: 'spoken' });

/** A selector for the same element in another edition of its part. */
function placeOf(place: Element): string {
  if (place.id) return `#${CSS.escape(place.id)}`;
  if (place.matches('summary') && place.parentElement)
    return `${placeOf(place.parentElement)}>summary`;
  const href = place.getAttribute('href');
  return href ? `[href="${CSS.escape(href)}"]` : 'h1';
}

function replace(part: Element, next: Element): void {
  const opened = [...part.querySelectorAll('details[open]')].map(placeOf);
  const active = document.activeElement;
  const focused = active && part.contains(active) ? placeOf(active) : undefined;
  part.replaceWith(next);
  for (const place of opened) find(place, next)?.setAttribute('open', '');
  if (focused === undefined) return;
  const target = find(focused, next) ?? find('h1');
  if (target?.matches('h1')) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

async function load(): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-cache' });
  if (!response.ok) throw new Error(String(response.status));
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const before = find('[data-news]')?.dataset.news;
  for (const [id, next] of partsOf(page)) {
    const html = next.outerHTML;
    const part = document.getElementById(id);
    if (!part || shown.get(id) === html) continue;
    shown.set(id, html);
    replace(part, document.adoptNode(next));
  }
  document.title = page.title;
  const said = find('[data-news]')?.dataset.news;
  if (said !== before) news.textContent = said ?? '';
}

/** Returns a function that updates the page: at most one fetch in half a second, none missed. */
function createUpdates(): () => void {
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isWanted = false;

  function begin(): void {
    timer = undefined;
    isWanted = false;
    isBusy = true;
    last = Date.now();
  }

  async function update(): Promise<void> {
    begin();
    await load().catch(() => setTimeout(updateSoon, retryMs));
    isBusy = false;
    if (isWanted) updateSoon();
  }

  function updateSoon(): void {
    isWanted = true;
    if (!isBusy) timer ??= setTimeout(() => void update(), Math.max(0, last + gapMs - Date.now()));
  }

  return updateSoon;
}

const updateSoon = createUpdates();
document.body.append(news);
addEventListener('svc:message', (event) => {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  if (typeof detail === 'object' && detail && 'channel' in detail && detail.channel === 'status')
    updateSoon();
});
addEventListener('svc:gap', updateSoon);
addEventListener('svc:connected', updateSoon);
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) updateSoon();
});
