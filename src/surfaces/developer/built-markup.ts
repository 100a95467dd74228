import { html, type Html } from '../../lib/text/html.ts';

/**
 * Markup that the build has made, as a piece of a page. Never for texts of a request: they would
 * not be escaped.
 */
export const builtMarkup = (markup: string): Html =>
  html(Object.assign([markup], { raw: [markup] }));
