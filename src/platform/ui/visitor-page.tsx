import { escapeHtml, type Html, htmlDocument } from '../../lib/text/html.ts';
import { type Brand, type BrandReader, isWordmark } from '../brand/brand.ts';
import { brandPicturePath } from '../brand/mark.ts';
import type { Assets } from './assets.ts';
import { fileElements, type Layout, type Page, siteMeta } from './pages.tsx';
import { texts } from './texts/en.ts';

export interface VisitorLayoutOptions {
  assets: Assets;
  brand: BrandReader;
  /** The public URL without a slash at the end. */
  baseUrl: string;
}

function head(page: Page, brand: Brand, { assets, baseUrl }: VisitorLayoutOptions): Html {
  const { name } = brand;
  const { title, path, description, isError = false, script, head: own } = page;
  const titled = isError ? texts.layout.errorTitle : texts.layout.title;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {path === undefined ? (
        <meta name="robots" content="noindex, nofollow" />
      ) : (
        siteMeta(page, { name, baseUrl })
      )}
      <title safe>{titled({ title, app: name })}</title>
      {description === undefined || path !== undefined ? undefined : (
        <meta name="description" content={description} />
      )}
      <link rel="icon" href={brandPicturePath(brand, assets)} />
      {fileElements(assets, { styles: ['pages.css'], script })}
      {own}
    </head>
  );
}

/** Whose page it is. A logo that contains the name stands alone. */
function VisitorBrand({ brand, assets }: { brand: Brand; assets: Assets }): Html {
  const { name, logo } = brand;
  const isWide = isWordmark(brand);
  const width = logo === undefined ? 40 : Math.round((40 * logo.width) / logo.height);
  return (
    <p class="visitor-brand">
      <img
        src={brandPicturePath(brand, assets)}
        alt={isWide ? name : ''}
        width={width}
        height="40"
      />
      {isWide ? undefined : escapeHtml(name)}
    </p>
  );
}

/**
 * Creates the layout of pages for people who scanned a code, tapped a tag or opened a link that
 * somebody printed or sent: one centered card with the owner's brand, and nothing of the platform.
 */
export const createVisitorLayout =
  (options: VisitorLayoutOptions): Layout =>
  (page) => {
    const { assets, brand: readBrand } = options;
    const brand = readBrand();
    const { title, heading = <h1 safe>{title}</h1>, body } = page;
    return htmlDocument(
      <html lang="en">
        {head(page, brand, options)}
        <body class="visitor">
          <main>
            <VisitorBrand brand={brand} assets={assets} />
            {heading}
            {body}
          </main>
        </body>
      </html>,
    );
  };
