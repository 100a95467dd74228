import type { Page, PageViews, Share } from './day.ts';

/** Page views whose page is not in the export. */
export const unknownPage: Page = { hostname: '', page: '/(unknown)' };

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** A step near `count * spread` that is coprime to `count`, so that it reaches every position. */
function coprimeStep(count: number, spread: number): number {
  let step = Math.max(1, Math.floor(count * spread));
  while (gcd(count, step) !== 1) step += 1;
  return step;
}

/** Returns a permutation of the positions below `count`; `spread` (0 to 1) varies the order. */
export function createPermutation(count: number, spread: number): (index: number) => number {
  const step = coprimeStep(count, spread);
  return (index) => (index * step) % count;
}

/**
 * Distributes values over `count` visits by share, mixed. Undefined where the shares fall short.
 */
export function deal<T>(
  shares: readonly Share<T>[],
  count: number,
  spread: number,
): (T | undefined)[] {
  const assigned = new Array<T | undefined>(count).fill(undefined);
  const position = createPermutation(count, spread);
  let next = 0;
  for (const { value, visits } of shares) {
    for (const end = Math.min(count, next + visits); next < end; next += 1)
      assigned[position(next)] = value;
  }
  return assigned;
}

/** Adjusts pages to `total` views: adds an unknown page, or reduces the largest ones. */
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
 * Distributes pages over visits; `capacities` are the page views of each visit. A page goes to as
 * many different visits as it had, as far as that many have capacity left. The views of all pages
 * must equal the total capacity.
 */
export function dealPages(capacities: readonly number[], pages: readonly PageViews[]): Page[][] {
  const assigned = capacities.map((): Page[] => []);
  const queue = [...capacities.keys()].filter((visit) => (capacities[visit] ?? 0) > 0);
  let head = 0;
  const capacityLeft = (visit: number) => (capacities[visit] ?? 0) - (assigned[visit]?.length ?? 0);
  const assign = (visit: number, page: Page) => void assigned[visit]?.push(page);
  const takeNext = () => queue[head++] ?? 0;

  for (const { hostname, page: path, visits, pageviews } of pages) {
    const page = { hostname, page: path };
    const different = Math.min(Math.max(1, visits), pageviews, queue.length - head);
    const taken = Array.from({ length: different }, takeNext);
    for (const visit of taken) assign(visit, page);
    let left = pageviews - different;
    for (
      let again = taken.filter((visit) => capacityLeft(visit) > 0);
      left > 0 && again.length > 0;
      again = again.filter((visit) => capacityLeft(visit) > 0)
    ) {
      for (const visit of again.slice(0, left)) assign(visit, page);
      left -= Math.min(left, again.length);
    }
    for (; left > 0 && head < queue.length; left -= 1) {
      const visit = takeNext();
      assign(visit, page);
      if (capacityLeft(visit) > 0) queue.push(visit);
    }
    for (const visit of taken) if (capacityLeft(visit) > 0) queue.push(visit);
  }
  return assigned;
}
