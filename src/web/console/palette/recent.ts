import type { Option } from './catalogue.ts';

const key = 'recent-places';
const maxPlaces = 6;

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'href', 'icon'].every((member) => typeof Reflect.get(value, member) === 'string');

/**
 * The pages that this tab has shown, newest first. They are forgotten with the tab: names of people
 * do not stay in the browser.
 */
export function recentPlaces(): Option[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isOption) : [];
  } catch {
    return [];
  }
}

/** Notes that this page was shown. Pages of the menu are in the palette anyway. */
export function noteRecent(): void {
  const name = document.querySelector('main h1')?.textContent.trim();
  const current = document.querySelector<HTMLAnchorElement>('#menu [aria-current]');
  const icon = current?.querySelector('use')?.getAttribute('href')?.split('#')[1];
  if (!name || !current || !icon || current.pathname === location.pathname) return;
  const href = location.pathname;
  const others = recentPlaces().filter((each) => each.href !== href);
  try {
    const all = [{ name, href, icon }, ...others].slice(0, maxPlaces);
    sessionStorage.setItem(key, JSON.stringify(all));
  } catch {
    // Storage is full or turned off: the palette does without.
  }
}
