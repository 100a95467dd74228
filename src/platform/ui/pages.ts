import type { FastifyReply } from 'fastify';
import { html, type Html, htmlText } from '../../lib/text/html.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { pageStyle } from './page-style.ts';
import { siteIcon } from './site-icon.ts';
import { siteStyle } from './site-style.ts';

const addressOf = (content: string, name: string, extension: string): string =>
  `/assets/${name}.${sha256Hex(content).slice(0, 12)}.${extension}`;

/** Where the style sheet is. Its content is part of the address, so that browsers may keep it. */
export const stylePath = addressOf(pageStyle, 'pages', 'css');

/** Where the second style sheet of the site's pages is. */
export const siteStylePath = addressOf(siteStyle, 'site', 'css');

/** Where the mark of the site is. */
export const siteIconPath = addressOf(siteIcon, 'icon', 'svg');

export interface Page {
  /** Also the heading. */
  title: string;
  /** What search engines and chats show below the title: one or two sentences. */
  description?: string;
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
  return ({
    title,
    description,
    body,
    isError = false,
    isWide = false,
    script,
    head,
    heading = html`<h1>${title}</h1>`,
  }) =>
    htmlText(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isError ? 'Error: ' : ''}${title} – ${appName}</title>${description === undefined ? undefined : html`\n<meta name="description" content="${description}">`}
<link rel="icon" href="/favicon.ico">
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

/**
 * A public page of the site. Error pages leave `path` and `description` out: they are at no address
 * of their own, and search engines leave them out too.
 */
export interface SitePage extends Page {
  /** Its one true path, such as `/privacy`. */
  path?: string;
  /**
   * Stands beside the text, above it on narrow screens: for instance a `nav` of the pages around
   * this one. It is not printed.
   */
  aside?: Html;
}

/** May be handed over wherever a `Layout` is wanted. */
export type SiteLayout = (page: SitePage) => string;

export type MenuEntry = readonly [href: string, text: string];

export interface SiteOptions {
  appName: string;
  /** The public URL without a slash at the end. */
  baseUrl: string;
  contactEmail?: string | undefined;
  menu: readonly MenuEntry[];
  /** Links of the footer. */
  smallPrint: readonly MenuEntry[];
}

const within = (path: string, place: string): boolean =>
  path === place || (place.endsWith('/') && path.startsWith(place));

function links(entries: readonly MenuEntry[], path = ''): Html {
  return html`<ul>${entries.map(([href, text]) => html`\n<li><a href="${href}"${within(path, href) ? html` aria-current="${path === href ? 'page' : 'true'}"` : undefined}>${text}</a></li>`)}\n</ul>`;
}

/** What search engines and chats read of a page. */
function siteMeta({ title, path, description }: SitePage, { appName, baseUrl }: SiteOptions): Html {
  if (path === undefined) return html`<meta name="robots" content="noindex">`;
  const url = `${baseUrl}${path}`;
  return html`<link rel="canonical" href="${url}">
<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${appName}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">`;
}

/**
 * Makes what the public pages of the site have around them: the menu, the small print, and what
 * search engines read.
 */
export function createSiteLayout(options: SiteOptions): SiteLayout {
  const { appName, contactEmail, menu, smallPrint } = options;
  const foot = [
    ...smallPrint,
    ...(contactEmail === undefined ? [] : [[`mailto:${contactEmail}`, 'Contact'] as const]),
  ];
  return (page) => {
    const {
      title,
      body,
      isError = false,
      isWide = false,
      script,
      head,
      heading = html`<h1>${title}</h1>`,
      path,
      aside,
    } = page;
    return htmlText(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isError ? 'Error: ' : ''}${title} – ${appName}</title>
${siteMeta(page, options)}
<link rel="icon" href="${siteIconPath}" type="image/svg+xml">
<link rel="manifest" href="/site.webmanifest">
<link rel="stylesheet" href="${stylePath}">
<link rel="stylesheet" href="${siteStylePath}">${script === undefined ? undefined : html`\n<script type="module" src="${script}"></script>`}${head}
</head>
<body class="site">
<a class="skip" href="#content">Skip to the content</a>
<header>
<div class="inner">
<a class="brand" href="/"><img src="${siteIconPath}" alt="" width="26" height="26">${appName}</a>
<nav aria-label="Main">${links(menu, path)}</nav>
</div>
</header>
<div class="page${aside === undefined ? '' : ' with-side'}">${aside === undefined ? undefined : html`\n<div class="side">${aside}</div>`}
<main id="content" tabindex="-1"${isWide ? html` class="wide"` : undefined}>
${heading}
${body}
</main>
</div>
<footer>
<div class="inner">
<span>${appName}</span>
<nav aria-label="Small print">${links(foot, path)}</nav>
</div>
</footer>
</body>
</html>
`);
  };
}

/** Answers with a page. */
export const sendPage = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(text);

/** A time to wait in plain words: `40 seconds`, `15 minutes`, `2 hours`. Never too short. */
export function waitText(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [Math.ceil(seconds), 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
