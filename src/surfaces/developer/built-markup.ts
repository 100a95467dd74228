import { html, type Html } from '../../lib/text/html.ts';

/** Markup that the build has made, unescaped. Never for texts of a request. */
export const builtMarkup = (markup: string): Html =>
  html(Object.assign([markup], { raw: [markup] }));
