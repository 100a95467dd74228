const concurrency = 4;

async function sitemapOf(origin) {
  const text = await (await fetch(`${origin}/web/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url.replaceAll('&amp;', '&'));
}

/**
 * Follows every link within this origin, starting at `paths` and the sitemap. External links are
 * not followed.
 */
async function crawl(origin, paths) {
  const { LinkChecker } = await import('linkinator');
  const path = [...new Set([...paths.map((each) => origin + each), ...(await sitemapOf(origin))])];
  const isExternal = async (link) => !link.startsWith(`${origin}/`);
  const { links } = await new LinkChecker().check({
    path,
    recurse: true,
    concurrency,
    linksToSkip: isExternal,
    retry: false,
    retryErrors: false,
  });
  return links;
}

/** Returns the ids of elements by page, and the links to anchors. */
async function readAnchors(browser, urls) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const [page, ids, links] = [await context.newPage(), new Map(), []];
  for (const url of urls) {
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const found = await page.evaluate(() => ({
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      links: [...document.links].map(({ href }) => href).filter((href) => href.includes('#')),
    }));
    ids.set(url, new Set(found.ids));
    for (const href of new Set(found.links)) links.push({ from: url, href });
  }
  await context.close();
  return { ids, links };
}

/** Requests a URL as a browser's navigation does. */
const openAsBrowser = (url) =>
  fetch(url, {
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  });
const isHtml = ({ headers }) => headers.get('content-type')?.startsWith('text/html') === true;

/**
 * Checks all links of the site, starting at `paths`. `dead` are links without a page, `lost` those
 * without an anchor on the page.
 */
export async function checkLinks(browser, origin, paths) {
  const links = await crawl(origin, paths);
  const own = links.filter(({ state }) => state !== 'SKIPPED');
  const addresses = [...new Set(own.map(({ url }) => url.split('#')[0]))];
  const [pages, dead] = [[], []];
  for (const url of addresses) {
    const answer = await openAsBrowser(url);
    await answer.body?.cancel();
    if (answer.ok && isHtml(answer) && !answer.redirected) pages.push(url);
    // linkinator can't send a browser's headers, so only what fails for a browser counts as dead.
    if (!answer.ok)
      dead.push(
        `${url} (${answer.status}), ` +
          `on ${own.find((link) => link.url.split('#')[0] === url)?.parent}`,
      );
  }
  const anchors = await readAnchors(browser, pages);
  const lost = anchors.links.filter(({ href }) => {
    const [url, id] = href.split('#');
    return id !== '' && anchors.ids.get(url)?.has(decodeURIComponent(id)) === false;
  });
  return {
    addresses: addresses.length,
    pages: pages.length,
    anchors: anchors.links.length,
    dead,
    lost: lost.map(({ href, from }) => `${href}, on ${from}`),
  };
}
