import { html, type Html, htmlText } from '../lib/html.ts';
import { sha256Hex } from '../lib/secrets.ts';
import { pageStyle } from './page-style.ts';

/** Where the style sheet is. Its content is part of the address, so that browsers may keep it. */
export const stylePath = `/assets/pages.${sha256Hex(pageStyle).slice(0, 12)}.css`;

export interface Page {
  /** Also the heading. */
  title: string;
  body: Html;
  /** Said first in the title, so that it is the first thing that a screen reader reads. */
  isError?: boolean;
  /** For pages with lists. */
  isWide?: boolean;
  /** The address of a script of ours. Its page needs `allowScript`. */
  script?: string | undefined;
  /** Further elements of the head: files of ours, feeds. */
  head?: Html;
  /** Stands where the title would be repeated as the heading; it has the `h1` then. */
  heading?: Html;
}

export type Layout = (page: Page) => string;

/** Makes what all pages have around them. */
export function createLayout(appName: string): Layout {
  return ({ title, body, isError = false, isWide = false, script, head, heading = html`<h1>${title}</h1>` }) => htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isError ? 'Error: ' : ''}${title} – ${appName}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">${script === undefined ? undefined : html`\n<script type="module" src="${script}"></script>`}${head}
</head>
<body>
<header>${appName}</header>
<main${isWide ? html` class="wide"` : undefined}>
${heading}
${body}
</main>
</body>
</html>
`);
}

/** A time to wait in plain words: `40 seconds`, `15 minutes`, `2 hours`. Never too short. */
export function waitText(seconds: number): string {
  const [count, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : seconds < 7200 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
