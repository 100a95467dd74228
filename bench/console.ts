import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser, timeEvents, timePage, type Visitor } from './support/console-browser.ts';
import {
  addDefinitions,
  addPeople,
  adminCookie,
  consoleSettings,
  copyData,
} from './support/console-data.ts';
import { ensureDataset } from './support/dataset.ts';
import { runBenchmark, workFolder } from './support/lifetime.ts';
import { watchMachine } from './support/processes.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { type Service, startService } from './support/service.ts';

/**
 * The console over a year of events: the response time of its pages, each compared with that of
 * the store alone (or of a static page); the time until they are usable in a browser; and the
 * delay until an event is on the screen. `--events N` for another size, `--people N`, `--quick`
 * for 1 million events and 1,000 people.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string' },
    people: { type: 'string' },
  },
});
const events = Number(options.events ?? (options.quick ? 1_000_000 : 10_000_000));
const people = Number(options.people ?? (options.quick ? 1000 : 10_000));
const discarded = 2;
const runs = 9;
const goals = { answer: 250, usable: 1000, live: 1000 };
const pageRuns = 5;
const liveEvents = 20;

const [site, home] = ['site-1', '/api/svc/console/'];
const analytics = `${home}analytics`;
const pageFor = (query: string) => `${analytics}?site_id=${site}${query}`;

interface Subject {
  name: string;
  path: string;
  /** In ms, if there is one. */
  goal?: number;
  /** What it is compared with. */
  limitName: 'store' | 'static page';
  limit: () => Promise<unknown>;
}

function subjectsOf(service: Service, funnel: string): Subject[] {
  const store = (...paths: string[]) => ({
    limitName: 'store' as const,
    limit: () => Promise.all(paths.map((path) => service.get(`/analytics/${path}`))),
  });
  const figures = (query: string) => store(`dashboard?site_id=${site}&${query}`);
  const fixed = {
    limitName: 'static page' as const,
    limit: async () =>
      (await fetch(`${service.base}/privacy`, { headers: { accept: 'text/html' } })).text(),
  };
  const day = 'period=24h&compare=previous&limit=1';
  const iso = (ms: number) => new Date(ms).toISOString();
  const halfHour = () =>
    `period=custom&from=${iso(Date.now() - 30 * 60_000)}&to=${iso(Date.now())}`;
  return [
    {
      name: 'Overview',
      path: home,
      goal: goals.answer,
      ...store(...[1, 2, 3].map((number) => `dashboard?site_id=site-${number}&${day}`)),
    },
    // The page compares with the period before, unless it is told not to.
    {
      name: 'Analytics, 30 days',
      path: pageFor('&period=30d'),
      goal: goals.answer,
      ...figures('period=30d&compare=previous'),
    },
    {
      name: 'Analytics, 30 days, not compared',
      path: pageFor('&period=30d&compare=none'),
      ...figures('period=30d'),
    },
    {
      name: 'Analytics, 30 days, source is Google',
      path: pageFor('&period=30d&filter=source:is:Google'),
      ...figures('period=30d&compare=previous&filter=source:is:Google'),
    },
    {
      name: 'Analytics, 12 months',
      path: pageFor('&period=12mo'),
      ...figures('period=12mo&compare=previous'),
    },
    {
      name: 'Its goals, 12 months',
      path: `${analytics}/goals/summary?site_id=${site}&period=12mo`,
      ...store(`goals?site_id=${site}&period=12mo`, `funnels/${funnel}?period=12mo`),
    },
    {
      name: 'Goals, 30 days',
      path: `${analytics}/goals?site_id=${site}`,
      ...store(`goals?site_id=${site}&period=30d`, `funnels/${funnel}?period=30d`),
    },
    {
      name: 'Retention by weeks',
      path: `${analytics}/retention?site_id=${site}&unit=week`,
      ...store(`retention?site_id=${site}&unit=week&cohorts=12`),
    },
    {
      name: 'Realtime',
      path: `${analytics}/realtime?site_id=${site}`,
      limitName: 'store',
      limit: () => service.get(`/analytics/dashboard?site_id=${site}&${halfHour()}`),
    },
    { name: `Users, ${whole(people)}`, path: `${home}users`, ...fixed },
    { name: 'Audit log', path: `${home}audit`, ...fixed },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function openPage({ base, cookie }: Visitor, path: string): Promise<void> {
  const response = await fetch(base + path, {
    redirect: 'manual',
    headers: {
      cookie,
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('id="open-palette"'))
    throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
}

/** Measures page and limit alternately. The 95th percentile of nine runs is the slowest one. */
async function measure(
  visitor: Visitor,
  { name, path, goal, limitName, limit }: Subject,
): Promise<string[]> {
  const [pages, limits]: [number[], number[]] = [[], []];
  for (let run = 0; run < discarded + runs; run += 1) {
    pages.push(await timed(() => openPage(visitor, path)));
    limits.push(await timed(limit));
  }
  const [measured, bare] = [pages.slice(discarded), median(limits.slice(discarded))];
  const middle = median(measured);
  return [
    name,
    ms(middle),
    ms(Math.max(...measured)),
    ms(pages[0] ?? Number.NaN),
    ms(bare),
    limitName,
    (middle / bare).toFixed(2),
    goal === undefined ? '-' : `< ${goal} ms`,
    goal === undefined ? '-' : verdict(middle < goal),
  ];
}

async function printAnswers(visitor: Visitor, subjects: readonly Subject[]): Promise<void> {
  const rows = [
    ['server response', 'median', 'p95', 'first', 'limit', 'limit is', 'ratio', 'goal', 'result'],
  ];
  for (const subject of subjects) rows.push(await measure(visitor, subject));
  printTable(rows);
  console.log(
    `\n1 client, ${discarded} responses discarded, median of ${runs}, page and limit in turn. ` +
      `p95: the slowest of the ${runs}. Limits: ` +
      '"store", the same queries of the event store, sent to the API at once; ' +
      '"static page", /privacy of the same service.\n',
  );
}

async function printUsable(
  browser: Browser,
  visitor: Visitor,
  subjects: readonly Subject[],
): Promise<void> {
  const rows = [
    ['page in Chromium', 'answered', 'DOMContentLoaded', 'usable', 'worst', 'goal', 'result'],
  ];
  for (const { name, path } of subjects) {
    const { answered, loaded, usable, worst } = await timePage(browser, visitor, path, pageRuns);
    rows.push([
      name,
      ms(answered),
      ms(loaded),
      ms(usable),
      ms(worst),
      `< ${goals.usable} ms`,
      verdict(usable < goals.usable),
    ]);
  }
  printTable(rows);
  console.log(
    `\nFrom the start of the navigation, with an empty cache, median of ${pageRuns}. ` +
      "Usable: after DOMContentLoaded, when the page's module has run.\n",
  );
}

async function printLive(browser: Browser, visitor: Visitor): Promise<void> {
  const times = await timeEvents(browser, visitor, {
    path: `${analytics}/realtime?site_id=${site}`,
    site,
    count: liveEvents,
  });
  const worst = Math.max(...times);
  printTable([
    ['an event on the screen', 'median', 'worst', 'goal', 'result'],
    [
      "from the pixel's request to the line in the list",
      ms(median(times)),
      ms(worst),
      `< ${goals.live} ms`,
      verdict(worst < goals.live),
    ],
  ]);
  console.log(`\n${liveEvents} events, one at a time, with pauses.`);
}

await runBenchmark(async (lifetime) => {
  const size = events % 1_000_000 === 0 ? `${events / 1_000_000}m` : String(events);
  const dataset = await ensureDataset(lifetime, join(workFolder, `bench-${size}`), events);
  const service = await startService(
    lifetime,
    copyData(dataset.dataDir, lifetime.folder()),
    consoleSettings,
  );
  console.error(`Creating ${whole(people)} people, goals and a funnel`);
  const cookie = await adminCookie(service);
  await addPeople(service, people);
  const [visitor, subjects] = [
    { base: service.base, cookie },
    subjectsOf(service, await addDefinitions(service, site)),
  ];
  printConditions(
    `npm run bench -- console${process.argv
      .slice(2)
      .map((argument) => ` ${argument}`)
      .join('')}`,
  );
  const cores = watchMachine();
  await printAnswers(visitor, subjects);
  const browser = await openBrowser(lifetime);
  if (browser === undefined)
    console.log('No Chromium on this machine: the measurements in a browser are skipped.');
  else {
    await printUsable(browser, visitor, subjects);
    await printLive(browser, visitor);
  }
  console.log(
    `${whole(dataset.events)} events of 3 sites over 365 days. ` +
      `Busy cores of the machine during the run, all programs: ${cores().toFixed(1)}.`,
  );
  for (const line of service.complaints()) console.log(line);
  return 0;
});
