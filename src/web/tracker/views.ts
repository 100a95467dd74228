import { listen } from './listen.ts';
import { address, send } from './send.ts';
import { settings } from './settings.ts';

let page = '';
let engagedMs = 0;
let engagedSince = 0;
let depth = 0;
let reportedDepth = 0;

/** Adds the time since the last call, if the page had the focus. */
function updateEngagement(): void {
  const now = Date.now();
  if (engagedSince) engagedMs += now - engagedSince;
  engagedSince = document.hasFocus() ? now : 0;
}

function measureDepth(): void {
  depth = Math.max(
    depth,
    Math.min(
      100,
      Math.round(((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100),
    ),
  );
}

/** Reports how long and how far the page was seen since the last report. */
export function leave(): void {
  updateEngagement();
  if (!page || (engagedMs < 1000 && depth <= reportedDepth)) return;
  send('engagement', {
    url: page,
    scroll_depth: (reportedDepth = depth),
    engagement_ms: engagedMs,
  });
  engagedMs = 0;
}

/** Counts the page, unless it was the last one counted, or is not visible yet. */
function countView(): void {
  if (document.hidden || page === address()) return;
  leave();
  page = address();
  depth = reportedDepth = 0;
  measureDepth();
  send('pageview');
}

/** Counts the page in the next task, once its title is set. */
export function scheduleView(): void {
  if (!('manual' in settings)) setTimeout(countView);
}

/** Counts pages, also those of single-page apps and from the back/forward cache. */
export function watchViews(): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const change = history[name].bind(history);
    history[name] = (...args) => {
      change(...args);
      scheduleView();
    };
  }
  listen(window, 'popstate hashchange', scheduleView);
  listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) page = '';
    scheduleView();
  });
  listen(window, 'focus blur', updateEngagement);
  listen(window, 'scroll', measureDepth);
  updateEngagement();
  scheduleView();
}
