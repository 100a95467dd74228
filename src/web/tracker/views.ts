import { listen } from './listen.ts';
import { address, send } from './send.ts';
import { settings } from './settings.ts';

let page = '';
let engagedMs = 0;
let engagedSince = 0;
let depth = 0;
let toldDepth = 0;

/** Adds the time since the last look, if the page was in front of somebody. */
function look(): void {
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
  look();
  if (!page || (engagedMs < 1000 && depth <= toldDepth)) return;
  send('engagement', { url: page, scroll_depth: (toldDepth = depth), engagement_ms: engagedMs });
  engagedMs = 0;
}

/** Counts the page, unless it is the one that was counted last, or nobody has seen it yet. */
function view(): void {
  if (document.hidden || page === address()) return;
  leave();
  page = address();
  depth = toldDepth = 0;
  measureDepth();
  send('pageview');
}

/** Counts the page soon, when its title is there. */
export function viewSoon(): void {
  if (!('manual' in settings)) setTimeout(view);
}

/** Counts pages, also those of single-page apps and from the back/forward cache. */
export function watchViews(): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const change = history[name].bind(history);
    history[name] = (...args) => {
      change(...args);
      viewSoon();
    };
  }
  listen(window, 'popstate hashchange', viewSoon);
  listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) page = '';
    viewSoon();
  });
  listen(window, 'focus blur', look);
  listen(window, 'scroll', measureDepth);
  look();
  viewSoon();
}
