import type { TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { unescaped } from '../pages/support.ts';

export interface Crawl {
  /** The crawled developer pages by path. */
  pages: Map<string, string>;
  /** `from → to: why` */
  dead: string[];
}

/** All anchors of a page. */
const anchorsOf = (page: string): Set<string> =>
  new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => unescaped(id)));
const linksOf = (page: string): string[] =>
  [...page.matchAll(/\s(?:href|src|data-index)="([^"]+)"/g)].map(([, href = '']) =>
    unescaped(href),
  );

/**
 * Follows all links from the landing page for developers. Pages below it are crawled too; others
 * only have to exist.
 */
export async function crawl(app: TestApp, baseUrl: string): Promise<Crawl> {
  const client = new TestClient(app);
  const pages = new Map<string, string>();
  const answers = new Map<string, { status: number; body: string; isPage: boolean }>();
  const links: { from: string; path: string; anchor: string }[] = [];
  const waiting = ['/developer/'];
  const ask = async (path: string) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const { status, text, headers } = await client.page(path);
    const isPage = String(headers['content-type']).startsWith('text/html');
    const answer = { status, body: text, isPage };
    answers.set(path, answer);
    return answer;
  };
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    if (pages.has(from)) continue;
    const { body } = await ask(from);
    pages.set(from, body);
    for (const href of linksOf(body)) {
      const { origin, pathname, search, hash } = new URL(href, `${baseUrl}${from}`);
      if (origin !== baseUrl) continue;
      links.push({ from, path: pathname + search, anchor: decodeURIComponent(hash.slice(1)) });
      if (pathname.startsWith('/developer') && !/\.\w+$/.test(pathname)) waiting.push(pathname);
    }
  }
  const dead = new Set<string>();
  for (const { from, path, anchor } of links) {
    const { status, body, isPage } = await ask(path);
    if (status >= 400 && status !== 401) dead.add(`${from} → ${path}: ${status}`);
    else if (anchor !== '' && isPage && !anchorsOf(body).has(anchor))
      dead.add(`${from} → ${path}#${anchor}: no such place`);
  }
  return { pages, dead: [...dead] };
}
