import {
  type Content,
  dataBlock,
  escapeHtml,
  type Html,
  htmlDocument,
} from '../../lib/text/html.ts';
import { consolePath } from '../../lib/site-paths.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import { fileElements } from '../../platform/ui/pages.tsx';
import type { Viewer } from './request-context.ts';
import { sectionPath, type SectionId, sectionsFor } from './sections.ts';
import { texts } from './texts/en.ts';

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

function head({ title, isError = false }: ConsolePage, { appName, assets }: LayoutOptions): Html {
  const { layout } = texts;
  const titleText = isError ? layout.errorTitle : layout.title;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title safe>{titleText({ page: title, appName })}</title>
      <link rel="icon" href={assets.path('icon.svg')} type="image/svg+xml" />
      {fileElements(assets, { styles: ['pages.css', 'console.css'], script: 'console.js' })}
    </head>
  );
}

function menu(section: ConsolePage['section'], viewer: Viewer): Html {
  const entries = sectionsFor(viewer.roles).map(({ id, name, path }) => {
    const current = id === section ? 'page' : undefined;
    const link = { href: consolePath + path, 'aria-current': current };
    return (
      <li>
        <a {...link} safe>
          {name}
        </a>
      </li>
    );
  });
  return (
    <nav id="menu" class="menu" popover aria-label={texts.layout.menuLabel}>
      <ul>{entries}</ul>
    </nav>
  );
}

function personMenu({ name, isAdmin }: Viewer): Html {
  const role = (
    <span class="role" safe>
      {isAdmin ? texts.person.admin : texts.person.viewer}
    </span>
  );
  const signOut = (
    <button type="submit" class="link" safe>
      {texts.person.signOut}
    </button>
  );
  return (
    <details class="person">
      <summary>
        <span class="who" safe>
          {name}
        </span>{' '}
        {role}
      </summary>
      <ul>
        <li>
          <a href="/account" safe>
            {texts.person.account}
          </a>
        </li>
        <li>
          <a href="/account/devices" safe>
            {texts.person.devices}
          </a>
        </li>
        <li>
          <form method="post" action="/account/sign-out">
            {signOut}
          </form>
        </li>
      </ul>
    </details>
  );
}

function searchForm(): Html {
  const input = {
    id: 'find',
    name: 'q',
    type: 'search',
    placeholder: texts.search.placeholder,
    autocomplete: 'off',
    maxlength: 200,
  };
  const label = (
    <label class="spoken" for="find" safe>
      {texts.search.label}
    </label>
  );
  const submit = (
    <button type="submit" class="second" safe>
      {texts.search.submit}
    </button>
  );
  const form = {
    class: 'find',
    method: 'post',
    role: 'search',
    action: `${consolePath}search`,
    'data-send': true,
  };
  return (
    <form {...form}>
      {label}
      <input {...input} />
      {submit}
    </form>
  );
}

function brand({ appName, assets }: LayoutOptions): Html {
  const icon = <img src={assets.path('icon.svg')} alt="" width="24" height="24" />;
  return (
    <a class="brand" href={consolePath}>
      {icon}
      {escapeHtml(appName)}
    </a>
  );
}

function header(viewer: Viewer, options: LayoutOptions): Html {
  const paletteButton = { type: 'button', class: 'second palette-button', id: 'open-palette' };
  return (
    <header class="bar">
      <button type="button" class="menu-button" popovertarget="menu" safe>
        {texts.layout.menu}
      </button>
      {brand(options)}
      {searchForm()}
      <button {...{ ...paletteButton, hidden: true }}>
        {escapeHtml(texts.palette.open)} <kbd>Ctrl K</kbd>
      </button>
      {personMenu(viewer)}
    </header>
  );
}

const otherPlaces = [
  { ...texts.palette.account, href: '/account' },
  { ...texts.palette.statusPage, href: '/status' },
  { ...texts.palette.reference, href: '/developer/reference' },
  { ...texts.palette.guides, href: '/developer/' },
];

/** The command palette. Its places are part of the page; the script only filters them. */
function palette({ roles }: Viewer): Html {
  const sections = sectionsFor(roles).map(({ name, path, hint }) => ({
    name,
    hint,
    href: consolePath + path,
  }));
  const places = [...sections, ...otherPlaces];
  const label = (
    <label class="spoken" for="palette-input" safe>
      {texts.palette.label}
    </label>
  );
  const input = {
    id: 'palette-input',
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    placeholder: texts.palette.placeholder,
  };
  return (
    <>
      <dialog id="palette" aria-label={texts.palette.open}>
        {label}
        <input {...input} />
        <ul id="palette-list" role="listbox" aria-label={texts.palette.list}></ul>
      </dialog>
      {dataBlock('application/json', { places, search: `${sectionPath('overview')}search` })}
    </>
  );
}

const proofParameters = ({ proof }: Viewer): Html | undefined =>
  proof === undefined ? undefined : (
    <div id="proof" hidden data-nonce={proof.nonce} data-now={proof.now}></div>
  );

function content({ title, body, actions, notice, channels = [], every }: ConsolePage): Html {
  const live = {
    'data-channels': channels.length === 0 ? undefined : channels.join(' '),
    'data-every': every,
  };
  const buttons = actions === undefined ? undefined : <div class="actions">{actions}</div>;
  return (
    <main id="content" tabindex="-1" {...live}>
      <div class="head">
        <h1 safe>{title}</h1>
        {buttons}
      </div>
      <div id="notice" role="status">
        {notice}
      </div>
      {body}
    </main>
  );
}

export interface LayoutOptions {
  appName: string;
  assets: Assets;
}

/** Creates the layout that all pages of the console share. */
export function createConsoleLayout(options: LayoutOptions): ConsoleLayout {
  return (page, viewer) =>
    htmlDocument(
      <html lang="en">
        {head(page, options)}
        <body class="console">
          <a class="skip" href="#content" safe>
            {texts.layout.skip}
          </a>
          {header(viewer, options)}
          <div class="frame">
            {menu(page.section, viewer)}
            {content(page)}
          </div>
          <p id="said" class="spoken" role="status"></p>
          {proofParameters(viewer)}
          {palette(viewer)}
        </body>
      </html>,
    );
}
