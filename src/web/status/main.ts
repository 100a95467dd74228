// On a message from the channel the status pages fetch themselves again, change the parts that
// differ, and announce news once to screen readers. Open details stay open, and the focused element
// keeps the focus.
import { element } from '../page/elements.ts';
import { morphPart } from '../page/morph.ts';

const gapMs = 500;
const retryMs = 5000;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const news = element('p', { role: 'status', class: 'visually-hidden' });

function focusHeading(): void {
  const heading = find('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

async function load(): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-cache' });
  if (!response.ok) throw new Error(String(response.status));
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const before = find('[data-news]')?.dataset.news;
  for (const newer of page.querySelectorAll('[data-part]')) {
    const part = document.getElementById(newer.id);
    if (part) morphPart(part, newer, focusHeading);
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
