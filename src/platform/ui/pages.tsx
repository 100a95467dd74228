import type { FastifyReply } from 'fastify';
import { type Brand, type BrandReader, isWordmark } from '../brand/brand.ts';
import { brandPicturePath } from '../brand/mark.ts';
import { type Html, htmlDocument } from '../../lib/text/html.ts';
import { Button } from './components/button.tsx';
import { ThemeSwitch } from './components/theme-switch.tsx';
import type { Assets, ScriptName, StyleName } from './assets.ts';
import { texts } from './texts/en.ts';
import { themePath } from './theme.ts';

export interface Page {
  /** Its canonical path, such as `/privacy`. Pages without one are not indexed. */
  path?: string;
  /** Also the heading, unless `heading` is set. */
  title: string;
  /** For search engines and link previews: one or two sentences. */
  description?: string;
  body: Html;
  /** Puts "Error" first in the document title, so that screen readers announce it first. */
  isError?: boolean;
  /** For pages with lists. */
  isWide?: boolean;
  /** A script of this service. The page needs `allowScript`. */
  script?: ScriptName | undefined;
  /** Style sheets in addition to those of the layout. */
  styles?: readonly StyleName[];
  /** Further elements of the head, such as feeds. */
  head?: Html;
  /** Replaces the `h1` with the title. */
  heading?: Html;
  /** Shown beside the text, or above it on narrow screens. Not printed. */
  aside?: Html;
  /** Links of the footer of a stand-alone page, in place of those of its layout. */
  footer?: readonly MenuEntry[];
}

export type MenuEntry = readonly [href: string, text: string];

export type Layout = (page: Page) => string;

function documentTitle({ title, isError = false }: Page, app: string): Html {
  const { errorTitle, title: usualTitle } = texts.layout;
  return <title safe>{(isError ? errorTitle : usualTitle)({ title, app })}</title>;
}

/**
 * The font, style sheets and script of a page. The sheet of the theme is last, so that it wins.
 */
export const fileElements = (
  assets: Assets,
  { styles = [], script }: Pick<Page, 'styles' | 'script'>,
): Html => (
  <>
    <link
      rel="preload"
      as="font"
      type="font/woff2"
      crossorigin="anonymous"
      href={assets.path('inter.woff2')}
    />
    {styles.map((name) => (
      <link rel="stylesheet" href={assets.path(name)} />
    ))}
    <link rel="stylesheet" href={themePath} />
    {script === undefined ? undefined : <script type="module" src={assets.path(script)}></script>}
  </>
);

function mainClass({ isWide = false, isCentered = false }: SitePage): string | undefined {
  if (isCentered) return 'centered';
  return isWide ? 'wide' : undefined;
}

/** The mark and name of the operator, with a link to the home page or to `href`. */
export function BrandLink({
  brand,
  assets,
  href = '/',
}: {
  brand: Brand;
  assets: Assets;
  href?: string;
}): Html {
  const { name, logo } = brand;
  const isWide = isWordmark(brand);
  const width = logo === undefined ? 26 : Math.round((26 * logo.width) / logo.height);
  const picture = { class: logo && 'own', src: brandPicturePath(brand, assets) };
  return (
    <a class="brand" href={href}>
      <img {...picture} alt={isWide ? name : ''} width={width} height="26" />
      {!isWide && <span safe>{name}</span>}
    </a>
  );
}

const isWithin = (path: string, section: string): boolean =>
  path === section || (section.endsWith('/') && path.startsWith(section));

function links(entries: readonly MenuEntry[], path = ''): Html {
  const items = entries.map(([href, text]) => {
    const current = path === href ? 'page' : 'true';
    const link = { href, 'aria-current': isWithin(path, href) ? current : undefined };
    return (
      <li>
        <a {...link} safe>
          {text}
        </a>
      </li>
    );
  });
  return <ul>{items}</ul>;
}

/** The links that the operator has added. */
const ownLinks = ({ footer }: Brand): MenuEntry[] =>
  footer.links.map(({ label, url }) => [url, label] as const);

const smallFooter = (entries: readonly MenuEntry[]): Html | undefined =>
  entries.length === 0 ? undefined : (
    <footer>
      <nav aria-label={texts.layout.footer}>{links(entries)}</nav>
    </footer>
  );

const aloneClass = ({ isWide = false, aside }: Page): string => {
  if (aside !== undefined) return 'alone framed';
  return isWide ? 'alone wide' : 'alone';
};

const withAside = ({ aside }: Page, main: Html): Html =>
  aside === undefined ? (
    main
  ) : (
    <div class="frame">
      <aside class="frame-aside">{aside}</aside>
      {main}
    </div>
  );

/** Creates the layout of stand-alone pages. `footer`: for pages that have no links of their own. */
export function createLayout(
  readBrand: BrandReader,
  assets: Assets,
  footer: readonly MenuEntry[] = [],
): Layout {
  return (page) => {
    const brand = readBrand();
    const {
      title,
      description,
      body,
      script,
      styles = [],
      head,
      heading = <h1 safe>{title}</h1>,
    } = page;
    const meta =
      description === undefined ? undefined : <meta name="description" content={description} />;
    return htmlDocument(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          {documentTitle(page, brand.name)}
          {meta}
          <link rel="icon" href={brandPicturePath(brand, assets)} />
          {fileElements(assets, { styles: ['pages.css', ...styles], script })}
          {head}
        </head>
        <body class={aloneClass(page)}>
          <header>
            <BrandLink brand={brand} assets={assets} />
            <ThemeSwitch />
          </header>
          {withAside(
            page,
            <main>
              {heading}
              {body}
            </main>,
          )}
          {smallFooter([...(page.footer ?? footer), ...ownLinks(brand)])}
        </body>
      </html>,
    );
  };
}

/** A public page of the site. Error pages have no `path` or `description`. */
export interface SitePage extends Page {
  /** One column in the middle, for pages with a short form. */
  isCentered?: boolean;
}

/** Can be used as a `Layout`. */
export type SiteLayout = (page: SitePage) => string;

type Audience = 'when-in' | 'when-console';

export interface SiteOptions {
  assets: Assets;
  brand: BrandReader;
  /** The public URL without a slash at the end. */
  baseUrl: string;
  menu: readonly MenuEntry[];
  /** At the end of the header: signing in and up. The last one is a button. */
  account?: () => readonly MenuEntry[];
  /** What stands there for people who are signed in, and for those who may use the console. */
  signedIn?: readonly (readonly [href: string, text: string, audience: Audience])[];
  /** Links of the footer. */
  smallPrint: readonly MenuEntry[];
}

/** The metadata of a page for search engines and link previews. */
export function siteMeta(
  { title, path, description }: Page,
  { name, baseUrl }: { name: string; baseUrl: string },
): Html {
  if (path === undefined) return <meta name="robots" content="noindex" />;
  const url = `${baseUrl}${path}`;
  return (
    <>
      <link rel="canonical" href={url} />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
    </>
  );
}

function siteHead(page: SitePage, options: SiteOptions): Html {
  const { assets, baseUrl } = options;
  const { name } = options.brand();
  const { styles = [], script, head } = page;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {documentTitle(page, name)}
      {siteMeta(page, { name, baseUrl })}
      <link rel="icon" href={brandPicturePath(options.brand(), assets)} />
      <link rel="manifest" href="/site.webmanifest" />
      {fileElements(assets, { styles: ['pages.css', 'site.css', ...styles], script })}
      {head}
    </head>
  );
}

/**
 * Signing in and up, and in their place the account and the console. The page is the same for all:
 * the sheet of the theme, which knows the visitor, shows what is theirs.
 */
function accountLinks({ account: accountNow, signedIn = [] }: SiteOptions): Html {
  const account = accountNow?.() ?? [];
  const last = account.length - 1;
  return (
    <div class="account">
      {account.map(([href, label], at) => (
        <Button
          label={label}
          href={href}
          kind={at === last ? 'secondary' : 'ghost'}
          audience="when-out"
        />
      ))}
      {signedIn.map(([href, label, audience]) => (
        <Button label={label} href={href} audience={audience} />
      ))}
    </div>
  );
}

/** Creates the layout of the site's public pages, with menu, footer and metadata. */
export function createSiteLayout(options: SiteOptions): SiteLayout {
  const { assets, menu, smallPrint } = options;
  return (page) => {
    const brand = options.brand();
    const { title, body, heading = <h1 safe>{title}</h1>, path, aside } = page;
    const side = aside === undefined ? undefined : <div class="side">{aside}</div>;
    return htmlDocument(
      <html lang="en">
        {siteHead(page, options)}
        <body class="site">
          <a class="skip" href="#content" safe>
            {texts.site.skip}
          </a>
          <header>
            <div class="inner">
              <BrandLink brand={brand} assets={assets} />
              <nav aria-label={texts.site.menu}>{links(menu, path)}</nav>
              {accountLinks(options)}
            </div>
          </header>
          <div class={side === undefined ? 'page' : 'page with-side'}>
            {side}
            <main id="content" tabindex="-1" class={mainClass(page)}>
              {heading}
              {body}
            </main>
          </div>
          <footer>
            <div class="inner">
              <span safe>{brand.footer.text ?? brand.name}</span>
              <nav aria-label={texts.site.footer}>
                {links([...smallPrint, ...ownLinks(brand)], path)}
              </nav>
              <ThemeSwitch returnTo={path} />
            </div>
          </footer>
        </body>
      </html>,
    );
  };
}

/** Sends a page. */
export const sendPage = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(text);
