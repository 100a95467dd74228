import { escapeHtml, type Html, htmlDocument } from '../../lib/text/html.ts';
import type { Assets } from './assets.ts';
import { fileElements, type Layout, type Page } from './pages.tsx';
import { texts } from './texts/en.ts';

/** Whose page it is: shown above the heading, and in the title of the document. */
export interface VisitorBrand {
  name: string;
  /** The URL of a square picture. */
  logo: string;
}

export interface VisitorLayoutOptions {
  assets: Assets;
  /** Asked for each page, so that a change shows at once. */
  brand: () => VisitorBrand;
}

function head(page: Page, { name }: VisitorBrand, assets: Assets): Html {
  const { title, description, isError = false, head: own } = page;
  const titled = isError ? texts.layout.errorTitle : texts.layout.title;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex, nofollow" />
      <title safe>{titled({ title, app: name })}</title>
      {description === undefined ? undefined : <meta name="description" content={description} />}
      <link rel="icon" href="/favicon.ico" />
      {fileElements(assets, { styles: ['pages.css'] })}
      {own}
    </head>
  );
}

/**
 * Creates the layout of pages for people who scanned a code, tapped a tag or opened a link that
 * somebody printed or sent: one centered card with the owner's brand, and nothing of the platform.
 */
export const createVisitorLayout =
  ({ assets, brand: brandOf }: VisitorLayoutOptions): Layout =>
  (page) => {
    const brand = brandOf();
    const { title, heading = <h1 safe>{title}</h1>, body } = page;
    return htmlDocument(
      <html lang="en">
        {head(page, brand, assets)}
        <body class="visitor">
          <main>
            <p class="visitor-brand">
              <img src={brand.logo} alt="" width="40" height="40" />
              {escapeHtml(brand.name)}
            </p>
            {heading}
            {body}
          </main>
        </body>
      </html>,
    );
  };
