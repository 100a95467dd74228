import { html, type Html } from '../../lib/text/html.ts';

/** Marks HTML of the build as safe. Never pass text from a request. */
export const builtMarkup = (markup: string): Html =>
  html(Object.assign([markup], { raw: [markup] }));
