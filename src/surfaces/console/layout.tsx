import type { BrandReader } from '../../platform/brand/brand.ts';
import { brandPicturePath } from '../../platform/brand/mark.ts';
import { type Content, escapeHtml, type Html, htmlDocument } from '../../lib/text/html.ts';
import { consolePath } from '../../lib/site-paths.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import { Avatar } from '../../platform/ui/components/avatar.tsx';
import { Nav, type NavLink, PageHead } from '../../platform/ui/components/navigation.tsx';
import { Menu } from '../../platform/ui/components/overlay.tsx';
import { ThemeSwitch } from '../../platform/ui/components/theme-switch.tsx';
import { Icon, type IconName } from '../../platform/ui/icon.tsx';
import { BrandLink, fileElements } from '../../platform/ui/pages.tsx';
import { Palette, PaletteOpener } from './components/palette.tsx';
import type { MenuMarks } from './menu-marks.ts';
import type { SavedForm } from './saved-forms.ts';
import type { Viewer } from './viewer.ts';
import { type SectionGroup, sectionGroups, type SectionId, sectionsFor } from './sections.ts';
import { actionsFor, placesFor } from './search/places.ts';
import { texts as searchTexts } from './search/texts/en.ts';
import { texts } from './texts/en.ts';

/** A page of the console. */
export interface ConsolePage {
  /** Undefined for pages outside the sections. */
  section: SectionId | undefined;
  /** Also the heading, unless that is set. */
  title: string;
  heading?: string;
  body: Content;
  /** Before the heading, such as the picture of the person whom the page is about. */
  face?: Html | undefined;
  /** A badge beside the heading. */
  state?: Html | undefined;
  /** A line below the heading. */
  lead?: Html | undefined;
  /** From the start to the page above. */
  breadcrumbs?: readonly NavLink[];
  /** Links and buttons beside the heading. */
  actions?: Html | undefined;
  /** Notice of what was just done, with a form to undo it if possible. */
  notice?: Html | undefined;
  isError?: boolean;
  /** The form for `action`, as it was filled in: shown again where nothing was sent yet. */
  filled?: SavedForm;
  /** Channels of `/ws/svc/` whose messages make the page reload its live panels. */
  channels?: readonly string[];
  /** Interval in seconds at which live panels are reloaded. */
  every?: number;
}

export type ConsoleLayout = (page: ConsolePage, viewer: Viewer, marks: MenuMarks) => string;

function head({ title, isError = false }: ConsolePage, options: LayoutOptions): Html {
  const { assets } = options;
  const brand = options.brand();
  const { layout } = texts;
  const titleText = isError ? layout.errorTitle : layout.title;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title safe>{titleText({ page: title, appName: brand.name })}</title>
      <link rel="icon" href={brandPicturePath(brand, assets)} />
      {fileElements(assets, { styles: ['pages.css', 'console.css'], script: 'console.js' })}
    </head>
  );
}

function menu(section: ConsolePage['section'], viewer: Viewer, marks: MenuMarks): Html {
  const visible = sectionsFor(viewer.roles);
  const linksOf = (group: SectionGroup | undefined): NavLink[] =>
    visible
      .filter((each) => each.group === group)
      .map(({ id, name, path, icon }) => ({
        href: consolePath + path,
        text: name,
        icon,
        isCurrent: id === section,
        ...marks[id],
      }));
  const groups = sectionGroups.map((group) => ({
    title: texts.sectionGroups[group],
    links: linksOf(group),
  }));
  return (
    <div id="menu" class="menu" popover>
      <Nav
        label={texts.layout.menuLabel}
        links={linksOf(undefined)}
        groups={groups.filter(({ links }) => links.length > 0)}
      />
    </div>
  );
}

const personFace = ({ name, isAdmin }: Viewer): Html => (
  <>
    <Avatar name={name} />
    <span class="who">
      {escapeHtml(name)}{' '}
      <span class="role">{escapeHtml(isAdmin ? texts.person.admin : texts.person.viewer)}</span>
    </span>
  </>
);

function personMenu(viewer: Viewer): Html {
  const link = (href: string, icon: IconName, text: string): Html => (
    <a href={href}>
      <Icon name={icon} />
      {escapeHtml(text)}
    </a>
  );
  const signOut = (
    <form method="post" action="/account/sign-out">
      <button type="submit">
        <Icon name="log-out" />
        {escapeHtml(texts.person.signOut)}
      </button>
    </form>
  );
  return (
    <Menu
      id="person-menu"
      label={texts.person.menu}
      face={personFace(viewer)}
      items={[
        link('/account', 'user', texts.person.account),
        link('/account/devices', 'devices', texts.person.devices),
        <ThemeSwitch />,
        signOut,
      ]}
    />
  );
}

const header = (viewer: Viewer, options: LayoutOptions): Html => (
  <header class="bar">
    <button type="button" class="btn btn-ghost menu-button" popovertarget="menu">
      <Icon name="menu" />
      {escapeHtml(texts.layout.menu)}
    </button>
    <BrandLink brand={options.brand()} assets={options.assets} href={consolePath} />
    <PaletteOpener href={searchPath} text={searchTexts.placeholder} />
    {personMenu(viewer)}
  </header>
);

const searchPath = `${consolePath}search`;

/** The search over every page. What it shows at once is part of the page. */
const palette = ({ roles }: Viewer): Html => (
  <Palette
    label={searchTexts.label}
    placeholder={searchTexts.placeholder}
    list={searchTexts.results}
    keys={searchTexts.keys}
    search={searchPath}
    groups={[
      { title: searchTexts.groups.actions, places: actionsFor(roles) },
      { title: searchTexts.groups.pages, places: placesFor(roles) },
    ]}
  />
);

const proofParameters = ({ proof }: Viewer): Html | undefined =>
  proof === undefined ? undefined : (
    <div id="proof" hidden data-nonce={proof.nonce} data-now={proof.now}></div>
  );

function content(page: ConsolePage): Html {
  const { body, notice, channels = [], every } = page;
  const live = {
    'data-channels': channels.length === 0 ? undefined : channels.join(' '),
    'data-every': every,
  };
  return (
    <main id="content" tabindex="-1" {...live}>
      <PageHead {...page} title={page.heading ?? page.title} />
      <div id="notice" role="status">
        {notice}
      </div>
      {body}
    </main>
  );
}

export interface LayoutOptions {
  brand: BrandReader;
  assets: Assets;
}

/** Creates the layout that all pages of the console share. */
export function createConsoleLayout(options: LayoutOptions): ConsoleLayout {
  return (page, viewer, marks) =>
    htmlDocument(
      <html lang="en">
        {head(page, options)}
        <body class="console">
          <a class="skip" href="#content" safe>
            {texts.layout.skip}
          </a>
          {header(viewer, options)}
          <div class="frame">
            {menu(page.section, viewer, marks)}
            {content(page)}
          </div>
          <p id="said" class="visually-hidden" role="status"></p>
          {proofParameters(viewer)}
          {palette(viewer)}
        </body>
      </html>,
    );
}
