import {
  attributes,
  type Content,
  dataBlock,
  html,
  type Html,
  htmlText,
} from '../../lib/text/html.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { siteIconPath, stylePath } from '../../platform/ui/pages.ts';
import { consoleStylePath } from './components/style.ts';
import type { Viewer } from './request-context.ts';
import { sectionPath, type SectionId, sectionsFor } from './sections.ts';

/** A page of the console. */
export interface ConsolePage {
  /** Undefined for pages outside the sections. */
  section: SectionId | undefined;
  /** Also the heading. */
  title: string;
  body: Content;
  /** Links and buttons beside the heading. */
  actions?: Html | undefined;
  /** Notice of what was just done, with a form to undo it if possible. */
  notice?: Html | undefined;
  isError?: boolean;
  /** Channels of `/ws/svc/` whose messages make the page reload its live panels. */
  channels?: readonly string[];
  /** Interval in seconds at which live panels are reloaded. */
  every?: number;
}

export type ConsoleLayout = (page: ConsolePage, viewer: Viewer) => string;

function head({ title, isError = false }: ConsolePage, { appName, script }: LayoutOptions): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${isError ? 'Error: ' : ''}${title} – ${appName} console</title>
<link rel="icon" href="${siteIconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<link rel="stylesheet" href="${consoleStylePath}">
<script type="module" src="${script}"></script>
</head>`;
}

function menu(section: ConsolePage['section'], viewer: Viewer): Html {
  const entries = sectionsFor(viewer.roles).map(({ id, name, path }) => {
    const current = id === section ? 'page' : undefined;
    const link = attributes({ href: consolePath + path, 'aria-current': current });
    return html`\n<li><a${link}>${name}</a></li>`;
  });
  return html`<nav id="menu" class="menu" popover aria-label="Console"><ul>${entries}\n</ul></nav>`;
}

function personMenu({ name, isAdmin }: Viewer): Html {
  const role = html`<span class="role">${isAdmin ? 'Admin' : 'Read only'}</span>`;
  const signOut = html`<button type="submit" class="link">Sign out</button>`;
  return html`<details class="person"><summary><span class="who">${name}</span> ${role}</summary>
<ul>
<li><a href="/account">Your account</a></li>
<li><a href="/account/devices">Your devices</a></li>
<li><form method="post" action="/account/sign-out">${signOut}</form></li>
</ul></details>`;
}

function searchForm(): Html {
  const input = attributes({
    id: 'find',
    name: 'q',
    type: 'search',
    placeholder: 'Search ( / )',
    autocomplete: 'off',
    maxlength: 200,
  });
  const label = html`<label class="spoken" for="find">Search the console</label>`;
  const submit = html`<button type="submit" class="second">Find</button>`;
  const form = attributes({
    class: 'find',
    method: 'post',
    role: 'search',
    action: `${consolePath}search`,
    'data-send': true,
  });
  return html`<form${form}>${label}<input${input}>${submit}</form>`;
}

function brand({ appName }: LayoutOptions): Html {
  const icon = html`<img src="${siteIconPath}" alt="" width="24" height="24">`;
  return html`<a class="brand" href="${consolePath}">${icon}${appName}</a>`;
}

function header(viewer: Viewer, options: LayoutOptions): Html {
  const paletteButton = { type: 'button', class: 'second palette-button', id: 'open-palette' };
  return html`<header class="bar">
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
${brand(options)}
${searchForm()}
<button${attributes({ ...paletteButton, hidden: true })}>Go to <kbd>Ctrl K</kbd></button>
${personMenu(viewer)}
</header>`;
}

const otherPlaces = [
  { name: 'Your account', hint: 'Sessions and second factor', href: '/account' },
  { name: 'Public status page', hint: 'What customers see', href: '/status' },
  { name: 'API reference', hint: 'Every call of this service', href: '/developer/reference' },
  { name: 'Guides', hint: 'How things are done', href: '/developer/' },
];

/** The command palette. Its places are part of the page; the script only filters them. */
function palette({ roles }: Viewer): Html {
  const sections = sectionsFor(roles).map(({ name, path, hint }) => ({
    name,
    hint,
    href: consolePath + path,
  }));
  const places = [...sections, ...otherPlaces];
  const hint = 'Go to a page, a person, a device …';
  const label = html`<label class="spoken" for="palette-input">${hint}</label>`;
  const input = attributes({
    id: 'palette-input',
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    placeholder: 'Go to …',
  });
  return html`<dialog id="palette" aria-label="Go to">${label}
<input${input}>
<ul id="palette-list" role="listbox" aria-label="Places"></ul></dialog>
${dataBlock('application/json', { places, search: `${sectionPath('overview')}search` })}`;
}

const proofParameters = ({ proof }: Viewer): Html | undefined =>
  proof === undefined
    ? undefined
    : html`<div id="proof" hidden data-nonce="${proof.nonce}" data-now="${proof.now}"></div>\n`;

function content({ title, body, actions, notice, channels = [], every }: ConsolePage): Html {
  const live = attributes({
    'data-channels': channels.length === 0 ? undefined : channels.join(' '),
    'data-every': every,
  });
  const buttons = actions === undefined ? undefined : html`<div class="actions">${actions}</div>`;
  return html`<main id="content" tabindex="-1"${live}>
<div class="head"><h1>${title}</h1>${buttons}</div>
<div id="notice" role="status">${notice}</div>
${body}
</main>`;
}

export interface LayoutOptions {
  appName: string;
  /** Path of the script of all pages. */
  script: string;
}

/** Creates the layout that all pages of the console share. */
export function createConsoleLayout(options: LayoutOptions): ConsoleLayout {
  return (page, viewer) =>
    htmlText(html`<!DOCTYPE html>
<html lang="en">
${head(page, options)}
<body class="console">
<a class="skip" href="#content">Skip to the content</a>
${header(viewer, options)}
<div class="frame">
${menu(page.section, viewer)}
${content(page)}
</div>
<p id="said" class="spoken" role="status"></p>
${proofParameters(viewer)}${palette(viewer)}
</body>
</html>
`);
}
