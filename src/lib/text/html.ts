declare const markup: unique symbol;

/** A fragment of a page: TSX or escaped text. No other text can be used as one. */
export type Html = string & { readonly [markup]: true };

/** One or more fragments. */
export type Content = Html | number | false | undefined | readonly Content[];

/** Attributes of an element, for `<a {...attributes}>`. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Text that is not markup yet: a fragment must not be escaped twice. */
type Text = string & { readonly [markup]?: never };

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the content of an element and for a quoted attribute. */
export const escapeHtml = (text: Text): Html =>
  trusted(/[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (each) => entities[each] ?? '') : text);

const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** The text that `escapeHtml` has escaped. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);

/** Marks text as markup. Never pass text from a request or a store. */
export const trusted = (text: string): Html => text as Html;

/** Returns a whole document: the element `html` after the declaration of its type. */
export const htmlDocument = (root: Html): string => `<!DOCTYPE html>${root}`;

/**
 * Renders JSON in a script element that is a data block (HTML §4.12.1). Escapes `<`, so that the
 * data cannot end the element.
 */
export function dataBlock(type: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return trusted(`<script type="${escapeHtml(type)}">${json}</script>`);
}
