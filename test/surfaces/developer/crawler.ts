import type { FastifyInstance } from 'fastify';

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

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
export async function crawl(http: FastifyInstance, baseUrl: string): Promise<Crawl> {
  const pages = new Map<string, string>();
  const answers = new Map<string, { status: number; body: string; isPage: boolean }>();
  const links: { from: string; path: string; anchor: string }[] = [];
  const waiting = ['/developer/'];
  const ask = async (path: string) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const {
      statusCode: status,
      body,
      headers,
    } = await http.inject({ url: path, headers: { accept: 'text/html,*/*;q=0.8' } });
    const answer = {
      status,
      body,
      isPage: String(headers['content-type']).startsWith('text/html'),
    };
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
