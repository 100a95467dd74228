const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes `text` safe as the content of an element and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

// A symbol: nothing that was parsed from a request can carry it.
const markup: unique symbol = Symbol('markup');

/** A piece of a page. Only `html` makes one, so that whatever is in it was escaped. */
export interface Html {
  readonly [markup]: string;
}

/** What a template takes: text is escaped, pieces are not, `undefined` is nothing. */
export type Insert = string | number | Content | undefined;

/** A piece of a page, or several in order. */
export type Content = Html | readonly (Html | undefined)[];

function inserted(value: Insert): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return markup in value ? value[markup] : value.map(inserted).join('');
}

/** The markup as text, to be sent. */
export const htmlText = (content: Content): string => inserted(content);

/** A piece of a page: `` html`<p title="${title}">${text}</p>` ``. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: Insert[]): Html {
  return { [markup]: String.raw({ raw: parts }, ...values.map(inserted)) };
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Attributes for `` html`<a${attributes({ href, hidden: true })}>` ``, each after a space.
 * `undefined` and `false` leave one out, `true` gives it without a value.
 */
export const attributes = (values: Attributes): Html[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? html` ${name}` : html` ${name}="${value}"`];
  });

/** A script element that holds JSON and runs nothing (HTML §4.12.1). No `<` can end it early. */
export function dataBlock(type: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return { [markup]: `<script type="${escapeHtml(type)}">${json}</script>` };
}
