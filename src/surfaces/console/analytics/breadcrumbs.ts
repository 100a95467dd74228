import type { ConsolePage } from '../layout.tsx';
import { texts } from './texts/en.ts';
import { analyticsPath } from './view-params.ts';

/** The way to a page about a site: `Analytics › shop.example`. `href`: the page of the site. */
export const siteBreadcrumbs = (
  site: string,
  href: string,
): NonNullable<ConsolePage['breadcrumbs']> => [
  { href: analyticsPath, text: texts.controls.heading },
  { href, text: site },
];
