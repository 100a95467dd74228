import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../../lib/text/without-indent.ts';

/**
 * The script of the status pages. On a message from the channel it fetches the page again, replaces
 * the parts that differ, and announces news once to screen readers. Open details stay open, and the
 * focused element keeps the focus.
 */
export const statusScript =
  withoutIndent(`const find = (selector, from = document) => from.querySelector(selector);
const contentOf = (page) =>
  new Map([...page.querySelectorAll('[data-part]')].map((part) => [part.id, part]));
const closed = (part) => part.outerHTML.replaceAll(' open=""', '');
const shown = new Map([...contentOf(document)].map(([id, part]) => [id, closed(part)]));
const news = document.createElement('p');
let last = 0, timer, isBusy = false, isWanted = false;

// How to find the same element in another edition of its part.
function placeOf(element) {
  if (element.id) return '#' + CSS.escape(element.id);
  if (element.matches('summary')) return placeOf(element.parentElement) + '>summary';
  const href = element.getAttribute('href');
  return href ? '[href="' + CSS.escape(href) + '"]' : 'h1';
}

function replace(part, next) {
  const opened = [...part.querySelectorAll('details[open]')].map(placeOf);
  const active = document.activeElement;
  const focused = part.contains(active) ? placeOf(active) : undefined;
  part.replaceWith(next);
  for (const place of opened) find(place, next)?.setAttribute('open', '');
  if (!focused) return;
  const target = find(focused, next) ?? find('h1');
  if (target.matches('h1')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

async function look() {
  const answer = await fetch(location.href, { cache: 'no-cache' });
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const before = find('[data-news]')?.dataset.news;
  for (const [id, next] of contentOf(page)) {
    const html = next.outerHTML;
    const part = document.getElementById(id);
    if (!part || shown.get(id) === html) continue;
    shown.set(id, html);
    replace(part, document.adoptNode(next));
  }
  document.title = page.title;
  const said = find('[data-news]')?.dataset.news;
  if (said !== before) news.textContent = said;
}

async function go() {
  timer = undefined;
  isWanted = false;
  isBusy = true;
  last = Date.now();
  await look().catch(() => setTimeout(soon, 5000));
  isBusy = false;
  if (isWanted) soon();
}

// At most one fetch in half a second, and the last change is never missed.
function soon() {
  isWanted = true;
  if (!isBusy) timer ??= setTimeout(go, Math.max(0, last + 500 - Date.now()));
}

news.role = 'status';
news.className = 'spoken';
document.body.append(news);
addEventListener('svc:message', ({ detail }) => detail?.channel === 'status' && soon());
addEventListener('svc:gap', soon);
addEventListener('svc:connected', soon);
addEventListener('pageshow', ({ persisted }) => persisted && soon());
`);

/** Path of the script. It contains a hash of the content, so that browsers may cache it forever. */
export const statusScriptPath = `/assets/status.${sha256Hex(statusScript).slice(0, 12)}.js`;
