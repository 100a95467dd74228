import * as kita from '@kitajs/html/jsx-runtime';
import { type Content, escapeHtml, type Html, trusted } from '../text/html.ts';

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
    [Tag in keyof KitaElements]: Omit<KitaElements[Tag], 'children' | 'download'> & {
      children?: Children;
      download?: string | boolean;
    };
  };
}

type KitaElements = globalThis.JSX.IntrinsicElements;

/**
 * TSX has no type of its own for text that is written between tags, so any text is allowed here.
 * test/contract/markup.test.ts finds text that is neither escaped nor in an element with `safe`.
 */
type Children = Content | string | readonly Children[];
type Create = (name: unknown, attributes: Properties) => Html;

interface Properties {
  children?: Children;
  safe?: boolean;
  [name: string]: unknown;
}

// In the package's types an element can be a promise, because components can be asynchronous.
const createKita = kita.jsx as Create;
const createManyKita = kita.jsxs as Create;

const voidTag = /\/>$/;
const emptyShape = /><\/(?:path|rect|line|circle|polyline|use)>$/;

/** Writes `<br>` and `<path/>`: HTML has no `/>`, and a page can have a thousand paths. */
const shorten = (element: Html): Html =>
  trusted(
    element.endsWith('/>') ? element.replace(voidTag, '>') : element.replace(emptyShape, '/>'),
  );

const special = /[&<>"']/;

function hasSpecialAttribute(properties: Properties): boolean {
  for (const name in properties) {
    const value = properties[name];
    if (typeof value === 'string' && name !== 'children' && special.test(value)) return true;
  }
  return false;
}

/**
 * Escapes attributes, of which the package escapes only the quotes, and the text of `safe`. Most
 * elements of a page need neither, and are not copied.
 */
function escaped(properties: Properties): Properties {
  if (properties.safe !== true && !hasSpecialAttribute(properties)) return properties;
  const { children, safe, ...attributes } = properties;
  const values: Properties = {};
  for (const name in attributes) {
    const value = attributes[name];
    values[name] = typeof value === 'string' ? escapeHtml(value) : value;
  }
  if (children !== undefined) values.children = safe === true ? escapeText(children) : children;
  return values;
}

function escapeText(children: Children): Html {
  if (typeof children === 'string') return escapeHtml(String(children));
  return trusted(
    (Array.isArray(children) ? children : [children])
      .map((child) => (child === undefined || child === false ? '' : escapeHtml(String(child))))
      .join(''),
  );
}

/** Creates an element or calls a component. */
export function jsx(name: unknown, properties: Properties): Html {
  if (typeof name !== 'string') return createKita(name, properties);
  const element = createKita(name, escaped(properties));
  return properties.children === undefined ? shorten(element) : element;
}

/** Creates an element with several children. */
export const jsxs = (name: unknown, properties: Properties): Html =>
  createManyKita(name, typeof name === 'string' ? escaped(properties) : properties);

export const Fragment = kita.Fragment as (properties: { children?: Children }) => Html;
