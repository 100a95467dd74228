import { dataBlock, html, type Html, htmlText } from '../../lib/text/html.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { siteIconPath, stylePath } from '../../platform/ui/pages.ts';
import { sectionPath, type SectionId, sectionsFor } from './sections.ts';
import { consoleStylePath } from './style.ts';
import type { Viewer } from './request-context.ts';

/** A page of the console. */
export interface ConsolePage {
  /** Undefined: a page beside all sections. */
  section: SectionId | undefined;
  /** Also the heading. */
  title: string;
  body: Html;
  /** Stands beside the heading: links and buttons. */
  actions?: Html | undefined;
  /** What was just done, said first; with a form to undo it where that can be undone. */
  notice?: Html | undefined;
  isError?: boolean;
  /**
   * Channels of `/ws/svc/` that say when the page's parts with `data-live` should be looked at
   * again.
   */
  channels?: readonly string[];
  /** Seconds after which they are looked at in any case. */
  every?: number;
}

export type ConsoleLayout = (page: ConsolePage, viewer: Viewer) => string;

function menu(section: ConsolePage['section'], viewer: Viewer): Html {
  const entries = sectionsFor(viewer.roles).map(
    ({ id, name, path }) =>
      html`\n<li><a href="${consolePath}${path}"${id === section ? html` aria-current="page"` : undefined}>${name}</a></li>`,
  );
  return html`<nav id="menu" class="menu" popover aria-label="Console"><ul>${entries}\n</ul></nav>`;
}

function personMenu({ name, isAdmin }: Viewer): Html {
  return html`<details class="person"><summary><span class="who">${name}</span> <span class="role">${isAdmin ? 'Admin' : 'Read only'}</span></summary>
<ul>
<li><a href="/account">Your account</a></li>
<li><a href="/account/devices">Your devices</a></li>
<li><form method="post" action="/account/sign-out"><button type="submit" class="link">Sign out</button></form></li>
</ul></details>`;
}

/** What the palette offers; the script adds nothing that is not there without it. */
function palette(viewer: Viewer): Html {
  const places = sectionsFor(viewer.roles).map(({ name, path, hint }) => ({
    name,
    hint,
    href: consolePath + path,
  }));
  const others = [
    { name: 'Your account', hint: 'Sessions and second factor', href: '/account' },
    { name: 'Public status page', hint: 'What customers see', href: '/status' },
    { name: 'API reference', hint: 'Every call of this service', href: '/developer/reference' },
    { name: 'Guides', hint: 'How things are done', href: '/developer/' },
  ];
  return html`<dialog id="palette" aria-label="Go to"><label class="spoken" for="palette-input">Go to a page, a person, a device …</label>
<input id="palette-input" type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" placeholder="Go to …">
<ul id="palette-list" role="listbox" aria-label="Places"></ul></dialog>
${dataBlock('application/json', { places: [...places, ...others], search: `${sectionPath('overview')}search` })}`;
}

const withProof = ({ proof }: Viewer): Html | undefined =>
  proof === undefined
    ? undefined
    : html`<div id="proof" hidden data-nonce="${proof.nonce}" data-now="${proof.now}"></div>\n`;

const living = ({ channels = [], every }: ConsolePage): Html =>
  html`${channels.length === 0 ? undefined : html` data-channels="${channels.join(' ')}"`}${every === undefined ? undefined : html` data-every="${every}"`}`;

/** Makes what all pages of the console have around them. `script`: the address of their module. */
export function createConsoleLayout({
  appName,
  script,
}: {
  appName: string;
  script: string;
}): ConsoleLayout {
  return (page, viewer) =>
    htmlText(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.isError === true ? 'Error: ' : ''}${page.title} – ${appName} console</title>
<link rel="icon" href="${siteIconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<link rel="stylesheet" href="${consoleStylePath}">
<script type="module" src="${script}"></script>
</head>
<body class="console">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
<a class="brand" href="${consolePath}"><img src="${siteIconPath}" alt="" width="24" height="24">${appName}</a>
<form class="find" method="post" role="search" action="${consolePath}search" data-send><label class="spoken" for="find">Search the console</label><input id="find" name="q" type="search" placeholder="Search ( / )" autocomplete="off" maxlength="200"><button type="submit" class="second">Find</button></form>
<button type="button" class="second palette-button" id="open-palette" hidden>Go to <kbd>Ctrl K</kbd></button>
${personMenu(viewer)}
</header>
<div class="frame">
${menu(page.section, viewer)}
<main id="content" tabindex="-1"${living(page)}>
<div class="head"><h1>${page.title}</h1>${page.actions === undefined ? undefined : html`<div class="actions">${page.actions}</div>`}</div>
<div id="notice" role="status">${page.notice}</div>
${page.body}
</main>
</div>
<p id="said" class="spoken" role="status"></p>
${withProof(viewer)}${palette(viewer)}
</body>
</html>
`);
}
