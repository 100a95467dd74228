import { html, type Html } from '../../lib/text/html.ts';

/** A time that machines can read too; the script shows it in the person's own time zone. */
export function time(at: Date | string | number | null | undefined, none = 'never'): Html {
  if (at == null) return html`${none}`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** How a thing is, in a word and by a colour that is never alone. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';
export const badge = (text: string, tone: Tone = 'quiet'): Html =>
  html`<span class="badge ${tone}">${text}</span>`;

/** A part of a page with its own heading. `live`: the script may put a newer one in its place. */
export function panel({
  id,
  title,
  body,
  actions,
  live = false,
  hint,
}: {
  id: string;
  title: string;
  body: Html;
  actions?: Html | undefined;
  live?: boolean;
  hint?: string | undefined;
}): Html {
  return html`<section class="panel" id="${id}" aria-labelledby="${id}-title"${live ? html` data-live` : undefined}>
<div class="panel-head"><h2 id="${id}-title">${title}</h2>${actions}</div>
${hint === undefined ? undefined : html`<p class="hint">${hint}</p>\n`}${body}
</section>
`;
}

export interface Column {
  name: string;
  /** Numbers stand at the right. */
  isNumber?: boolean;
  /** Where a click sorts by it, and how it is sorted now. */
  sort?: { href: string; now: 'ascending' | 'descending' | 'none' };
  /** The heading is for screen readers only. */
  isQuiet?: boolean;
}

function heading({ name, isNumber = false, sort, isQuiet = false }: Column): Html {
  const text = isQuiet
    ? html`<span class="spoken">${name}</span>`
    : sort === undefined
      ? html`${name}`
      : html`<a href="${sort.href}">${name}</a>`;
  return html`<th scope="col"${isNumber ? html` class="number-cell"` : undefined}${sort === undefined ? undefined : html` aria-sort="${sort.now}"`}>${text}</th>`;
}

/**
 * A table; the first cell of each row is its heading. On narrow screens it scrolls by itself, also
 * with the keyboard.
 */
export function table({
  caption,
  columns,
  rows,
  id,
}: {
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly (Html | string | number)[])[];
  id?: string;
}): Html {
  const cell = (value: Html | string | number, at: number) => {
    const kind = columns[at]?.isNumber === true ? html` class="number-cell"` : undefined;
    return at === 0 ? html`<th scope="row"${kind}>${value}</th>` : html`<td${kind}>${value}</td>`;
  };
  return html`<div class="scroll" role="region" aria-label="${caption}, table" tabindex="0"><table${id === undefined ? undefined : html` id="${id}"`}>
<caption class="spoken">${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`\n<tr>${row.map(cell)}</tr>`)}
</tbody></table></div>
`;
}

/** Text that is there to be copied: the script puts a button beside it. */
export const copyBlock = (text: string): Html =>
  html`<div data-copy><pre tabindex="0"><code>${text}</code></pre></div>`;

/** What stands in place of an empty list: why it is empty, and the call that fills it. */
export const emptyState = ({
  text,
  call,
  link,
}: {
  text: string;
  call?: string;
  link?: { href: string; text: string };
}): Html =>
  html`<div class="empty"><p>${text}</p>${call === undefined ? undefined : copyBlock(call)}${link === undefined ? undefined : html`<p><a href="${link.href}">${link.text}</a></p>`}</div>\n`;

/** Names and what belongs to them. */
export const facts = (
  all: readonly (readonly [name: string, value: Html | string | number])[],
): Html =>
  html`<dl>\n${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>\n`;

/** A number that matters, with what it is compared with. */
export interface Card {
  name: string;
  value: Html | string;
  /** Below it: how it has changed, or what it means. */
  note?: Html | string | undefined;
  href?: string | undefined;
  tone?: Tone;
}

export const cards = (
  id: string,
  label: string,
  all: readonly Card[],
): Html => html`<h2 class="spoken">${label}</h2>
<ul class="cards" id="${id}" data-live>${all.map(
  ({ name, value, note, href, tone }) => html`
<li${tone === undefined ? undefined : html` class="${tone}"`}><span class="name">${href === undefined ? name : html`<a href="${href}">${name}</a>`}</span> <strong>${value}</strong>${note === undefined ? undefined : html` <span class="note">${note}</span>`}</li>`,
)}
</ul>
`;

export interface FormOptions {
  action: string;
  /** Values that it carries; `undefined` is left out. */
  values?: Readonly<Record<string, string | undefined>>;
  /** Labelled inputs. */
  inputs?: Html | undefined;
  button: string;
  /** Id of what the button is about. */
  about?: string | undefined;
  kind?: 'first' | 'second' | 'danger' | 'link';
  /** In one line. */
  isInline?: boolean;
}

/** A form that changes something. The script sends it with a proof of the device's key. */
export function postForm({
  action,
  values = {},
  inputs,
  button,
  about,
  kind = 'second',
  isInline = inputs === undefined,
}: FormOptions): Html {
  const carried = Object.entries(values).map(([name, value]) =>
    value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}"${isInline ? html` class="inline"` : undefined} data-send>${carried}${inputs}<button type="submit" class="${kind}"${about === undefined ? undefined : html` aria-describedby="${about}"`}>${button}</button></form>\n`;
}

export interface FieldOptions {
  id: string;
  name: string;
  label: string;
  hint?: string;
  value?: string;
  type?: string;
  most?: number;
  error?: string | undefined;
  /** Attributes beyond the usual ones. */
  attributes?: Html;
}

/** A labelled input; its hint and its error are read out with it. */
export function field({
  id,
  name,
  label,
  hint,
  value = '',
  type = 'text',
  most = 200,
  error,
  attributes,
}: FieldOptions): Html {
  const ids = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  const length = ['text', 'search', 'email', 'url', 'password'].includes(type)
    ? html` maxlength="${most}"`
    : undefined;
  return html`<div class="field"><label for="${id}">${label}</label>${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}${error === undefined ? undefined : html`<p class="error" id="${id}-error">${error}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${value}"${length} autocomplete="${type === 'password' ? 'new-password' : 'off'}"${ids.length === 0 ? undefined : html` aria-describedby="${ids.join(' ')}"`}${error === undefined ? undefined : html` aria-invalid="true"`} ${attributes}></div>
`;
}

/** A labelled input of several lines. */
export const textarea = ({
  id,
  name,
  label,
  hint,
  most = 10_000,
  value = '',
  rows = 4,
}: {
  id: string;
  name: string;
  label: string;
  hint?: string;
  most?: number;
  value?: string;
  rows?: number;
}): Html =>
  html`<div class="field"><label for="${id}">${label}</label>${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}<textarea id="${id}" name="${name}" rows="${rows}" maxlength="${most}" required${hint === undefined ? undefined : html` aria-describedby="${id}-hint"`}>${value}</textarea></div>\n`;

export interface SelectOptions {
  id: string;
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  value?: string | undefined;
}

/** A labelled list to choose from. */
export const select = ({ id, name, label, options, value }: SelectOptions): Html =>
  html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${options.map(([each, text]) => html`<option value="${each}"${each === value ? html` selected` : undefined}>${text}</option>`)}</select></div>\n`;

/**
 * What cannot be undone: opened on purpose, and sent only after the word was typed. The server asks
 * for the word again.
 */
export function confirmForm({
  id,
  action,
  values = {},
  open,
  word,
  warning,
  button,
}: {
  id: string;
  action: string;
  values?: FormOptions['values'];
  open: string;
  word: string;
  warning: string;
  button: string;
}): Html {
  const input = field({
    id,
    name: 'confirm',
    label: `Type ${word} to go on`,
    hint: warning,
    most: 300,
    attributes: html`required pattern="${word.replace(/[^\w ]/gu, '.')}" title="${word}"`,
  });
  return html`<details class="typed"><summary>${open}</summary>${postForm({ action, values, inputs: input, button, kind: 'danger', isInline: false })}</details>\n`;
}

/**
 * The sentence that a page is told to say by the name of what was done. Names come from addresses:
 * `constructor` is none.
 */
export const sentenceOf = (
  sentences: Readonly<Partial<Record<string, string>>>,
  name: string | undefined,
): string | undefined =>
  name !== undefined && Object.hasOwn(sentences, name) ? sentences[name] : undefined;

/** What a page says first of what was just done, or was not. `undo`: a form that takes it back. */
export const notice = (
  text: string,
  { undo, isError = false }: { undo?: Html | undefined; isError?: boolean } = {},
): Html =>
  isError
    ? html`<p class="error">${text}</p>`
    : html`<div class="line"><span>${text}</span> ${undo}</div>`;

/** Links to the first page and to the next one of a list that goes on by a cursor. */
export function pager({
  first,
  next,
  shown,
}: {
  first: string | undefined;
  next: string | undefined;
  shown: string;
}): Html {
  return html`<nav class="pager" aria-label="Pages of the list"><span>${shown}</span>${first === undefined ? undefined : html`<a href="${first}">Back to the first</a>`}${next === undefined ? undefined : html`<a href="${next}" rel="next">Next</a>`}</nav>\n`;
}

/** Links of which one is where one is: periods, states, tabs. */
export const tabs = (
  label: string,
  all: readonly { href: string; text: string; isNow: boolean }[],
): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${all.map(({ href, text, isNow }) => html`<li><a href="${href}"${isNow ? html` aria-current="true"` : undefined}>${text}</a></li>`)}</ul></nav>\n`;

/** An address with a query; `undefined` and empty values are left out, lists are repeated. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    for (const each of typeof value === 'object' ? value : [String(value)])
      query.append(name, each);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
