import type { Page, PageViews, Share } from './day.ts';

/** Page views whose page is not in the export. */
export const unknownPage: Page = { hostname: '', page: '/(unknown)' };

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** A step that visits every place of `count` once, near the fraction `spread` of it. */
function coprimeStep(count: number, spread: number): number {
  let step = Math.max(1, Math.floor(count * spread));
  while (divisor(count, step) !== 1) step += 1;
  return step;
}

/**
 * The place of the `index`th of `count` things once mixed; `spread` (0 to 1) varies the mixture.
 */
export function createMixer(count: number, spread: number): (index: number) => number {
  const step = coprimeStep(count, spread);
  return (index) => (index * step) % count;
}

/** Gives `count` visits mixed values by share. Undefined where the shares end early. */
export function deal<T>(
  shares: readonly Share<T>[],
  count: number,
  spread: number,
): (T | undefined)[] {
  const dealt = new Array<T | undefined>(count).fill(undefined);
  const place = createMixer(count, spread);
  let next = 0;
  for (const { value, visits } of shares) {
    for (const end = Math.min(count, next + visits); next < end; next += 1)
      dealt[place(next)] = value;
  }
  return dealt;
}

/** The pages, padded with an unknown page or cut where largest, to `total` views. */
export function fitPages(pages: readonly PageViews[], total: number): PageViews[] {
  const sum = pages.reduce((views, page) => views + page.pageviews, 0);
  const sorted = [...pages].sort((a, b) => b.pageviews - a.pageviews);
  if (sum < total)
    return [...sorted, { ...unknownPage, visits: total - sum, pageviews: total - sum }];
  let surplus = sum - total;
  return sorted.map((page) => {
    const cut = Math.min(page.pageviews, surplus);
    surplus -= cut;
    return { ...page, pageviews: page.pageviews - cut };
  });
}

/**
 * Gives visits their pages: `rooms` says how many page views each has. A page goes to as many
 * different visits as it had, as long as there is room in so many. The views of all pages must be
 * as many as there is room for.
 */
export function dealPages(rooms: readonly number[], pages: readonly PageViews[]): Page[][] {
  const dealt = rooms.map((): Page[] => []);
  const queue = [...rooms.keys()].filter((visit) => (rooms[visit] ?? 0) > 0);
  let head = 0;
  const room = (visit: number) => (rooms[visit] ?? 0) - (dealt[visit]?.length ?? 0);
  const give = (visit: number, page: Page) => void dealt[visit]?.push(page);
  const takeNext = () => queue[head++] ?? 0;

  for (const { hostname, page: path, visits, pageviews } of pages) {
    const page = { hostname, page: path };
    const different = Math.min(Math.max(1, visits), pageviews, queue.length - head);
    const taken = Array.from({ length: different }, takeNext);
    for (const visit of taken) give(visit, page);
    let left = pageviews - different;
    for (
      let again = taken.filter((visit) => room(visit) > 0);
      left > 0 && again.length > 0;
      again = again.filter((visit) => room(visit) > 0)
    ) {
      for (const visit of again.slice(0, left)) give(visit, page);
      left -= Math.min(left, again.length);
    }
    for (; left > 0 && head < queue.length; left -= 1) {
      const visit = takeNext();
      give(visit, page);
      if (room(visit) > 0) queue.push(visit);
    }
    for (const visit of taken) if (room(visit) > 0) queue.push(visit);
  }
  return dealt;
}
