const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes `text` for the content of an element and for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

// A symbol, so that parsed input can never have it.
const markup: unique symbol = Symbol('markup');

/**
 * A fragment of a page. Only `html` and `dataBlock` create one, so its content is always escaped.
 */
export interface Html {
  readonly [markup]: string;
}

/** A value in a template: text is escaped, fragments are not, `undefined` renders nothing. */
export type Insert = string | number | Content | undefined;

/** One or more fragments of a page. */
export type Content = Html | readonly (Html | undefined)[];

function render(value: Insert): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return markup in value ? value[markup] : value.map(render).join('');
}

/** Returns the markup as text. */
export const htmlText = (content: Content): string => render(content);

/** Creates a fragment: `` html`<p title="${title}">${text}</p>` ``. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: Insert[]): Html {
  return { [markup]: String.raw({ raw: parts }, ...values.map(render)) };
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Renders attributes for `` html`<a${attributes({ href, hidden: true })}>` ``, each after a space.
 * `undefined` and `false` omit an attribute, `true` renders it without a value.
 */
export const attributes = (values: Attributes): Html[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? html` ${name}` : html` ${name}="${value}"`];
  });

/**
 * Renders JSON in a script element that is a data block (HTML §4.12.1). Escapes `<`, so that the
 * data cannot end the element.
 */
export function dataBlock(type: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return { [markup]: `<script type="${escapeHtml(type)}">${json}</script>` };
}
