import { parseArgs } from 'node:util';
import { consoleGoal, consolePages, consoleSettings, noSearch } from './pages/console.mjs';
import { checkLinks } from './pages/links.mjs';
import { allPages, pageOf } from './pages/list.mjs';
import { cookieFor, load } from './pages/loading.mjs';
import { goal, judge, print } from './pages/report.mjs';
import { scoresOf } from './pages/scores.mjs';
import { freePort, startService } from './pages/service.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ensureBuild } from './setup/output.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { ensureChromium, ensureRedis } from './setup/programs.mjs';
import { main, say, SetupError, step } from './setup/say.mjs';

// `npm run pages` measures every public page of the built service, and follows all links;
// `--only /status` one page, without the links. `npm run pages -- --console` measures every page of
// the console for a signed-in admin, with `--only analytics` one of them.
requireNode(20, 19);
const { values: options } = parseArgs({
  options: { only: { type: 'string' }, console: { type: 'boolean', default: false } },
});
await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensureRedis();
  const executablePath = await ensureChromium();
  const cleanups = [];
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void cleanUp(cleanups).then(() => process.exit(1)));
  try {
    process.exitCode = (await (options.console ? checkConsole : check)(executablePath, cleanups))
      ? 0
      : 1;
  } finally {
    await cleanUp(cleanups);
  }
});

async function cleanUp(cleanups) {
  for (let end = cleanups.pop(); end !== undefined; end = cleanups.pop()) await end();
}

async function openBrowser(executablePath) {
  const [{ chromium }, port] = [await import('playwright-core'), await freePort()];
  // No host name is resolved, whatever a page or the browser requests.
  const args = [
    '--no-sandbox',
    `--remote-debugging-port=${port}`,
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ];
  return {
    browser: await chromium.launch({
      executablePath,
      args,
      handleSIGINT: false,
      handleSIGTERM: false,
    }),
    port,
  };
}

/** Measures and prints everything; true when all goals are met. */
async function check(executablePath, cleanups) {
  const service = await step('Starting the service', startService);
  cleanups.push(service.stop);
  const chromium = await openBrowser(executablePath);
  cleanups.push(() => chromium.browser.close());
  const pages =
    options.only === undefined ? await allPages(service.origin) : [pageOf(options.only)];
  const results = [];
  for (const page of pages)
    results.push(
      await step(`${results.length + 1}/${pages.length} ${page.path}`, () =>
        measure(page, service.origin, chromium),
      ),
    );
  print(results);
  const areMet = results.every(({ missed }) => missed.length === 0);
  return options.only === undefined
    ? (await printLinks(
        chromium.browser,
        service.origin,
        pages.map(({ path }) => path),
      )) && areMet
    : areMet;
}

/** Measures and prints every page of the console for a signed-in admin. */
async function checkConsole(executablePath, cleanups) {
  const service = await step('Starting the service', () => startService(consoleSettings));
  cleanups.push(service.stop);
  const chromium = await openBrowser(executablePath);
  cleanups.push(() => chromium.browser.close());
  const { cookie, pages } = await step('Creating events, users and an incident', () =>
    consolePages(service.origin),
  );
  // Lighthouse opens its tab in the browser's default profile, and keeps the cookies there.
  await (
    await chromium.browser.newBrowserCDPSession()
  ).send('Storage.setCookies', { cookies: [cookieFor(service.origin, cookie)] });
  const chosen = pages.filter(
    ({ path }) => options.only === undefined || path.endsWith(`/console/${options.only}`),
  );
  if (chosen.length === 0)
    throw new SetupError(
      `The console has no page "${options.only}". Choose one of: ${pages
        .map(({ path }) => path.split('/console/')[1])
        .filter(Boolean)
        .join(', ')}.`,
    );
  const results = [];
  for (const page of chosen)
    results.push(
      await step(`${results.length + 1}/${chosen.length} ${page.path}`, () =>
        measure(page, service.origin, chromium, { cookie, goal: consoleGoal, without: ['seo'] }),
      ),
    );
  print(results, consoleGoal);
  console.log(`\n${noSearch}`);
  return results.every(({ missed }) => missed.length === 0);
}

async function measure(
  page,
  origin,
  { browser, port },
  { cookie, goal: wanted = goal, without } = {},
) {
  // Shared parts of pages are built with the first request.
  await fetch(origin + page.path, {
    headers: { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) },
  });
  const loaded = await load(browser, origin, page.path, cookie);
  const rated =
    page.scores === false
      ? undefined
      : await scoresOf(origin + page.path, port, wanted.score, without);
  return { page, loaded, rated, ...judge(page, loaded, rated, wanted) };
}

async function printLinks(browser, origin, paths) {
  const found = await step('Following all links', () => checkLinks(browser, origin, paths));
  console.log(
    `\nlinkinator: ${found.addresses} different addresses of this origin, ` +
      `${found.dead.length} dead; ${found.anchors} links to anchors on ${found.pages} pages, ` +
      `${found.lost.length} without a target.`,
  );
  for (const each of [...found.dead, ...found.lost]) say(`  ${each}`);
  return found.dead.length + found.lost.length === 0;
}
