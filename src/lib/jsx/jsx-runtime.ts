import * as kita from '@kitajs/html/jsx-runtime';
import type { Content, Html } from '../text/html.ts';

/**
 * The runtime of TSX: that of `@kitajs/html`, with an element type of its own. In the package's
 * types an element is any string; here text is no markup before it was escaped, and no element is
 * asynchronous.
 */
// oxlint-disable-next-line typescript/no-namespace -- TypeScript looks for this name.
export declare namespace JSX {
  type Element = Html;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  type IntrinsicElements = {
    [Tag in keyof KitaElements]: Omit<KitaElements[Tag], 'children'> & { children?: Children };
  };
}

type KitaElements = globalThis.JSX.IntrinsicElements;

/**
 * TSX has no type of its own for text that is written between tags, so any text is allowed here.
 * test/contract/markup.test.ts finds text that is neither escaped nor in an element with `safe`.
 */
type Children = Content | string | readonly Children[];
type Create = (name: unknown, attributes: object) => Html;

/** The package escapes quotes in attributes, but leaves `&lt;` of a value for browsers to decode. */
function escapeAmpersands(attributes: object): object {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes))
    values[name] =
      typeof value === 'string' && name !== 'children' ? value.replaceAll('&', '&amp;') : value;
  return values;
}

// In the package's types an element can be a promise, because components can be asynchronous.
const createKita = kita.jsx as Create;
const createManyKita = kita.jsxs as Create;

/** Creates an element or calls a component. */
export const jsx: Create = (name, attributes) =>
  createKita(name, typeof name === 'string' ? escapeAmpersands(attributes) : attributes);

/** Creates an element with several children. */
export const jsxs: Create = (name, attributes) =>
  createManyKita(name, typeof name === 'string' ? escapeAmpersands(attributes) : attributes);

export const Fragment = kita.Fragment as (properties: { children?: Children }) => Html;
