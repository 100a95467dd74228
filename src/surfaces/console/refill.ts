import { escapeHtml, unescapeHtml } from '../../lib/text/html.ts';
import { FieldError } from '../../platform/ui/components/form.tsx';
import type { SavedForm } from './saved-forms.ts';

/** What a form says when it is shown again. */
export interface Refill extends SavedForm {
  /** Stands before its fields. */
  notice?: string | undefined;
  /** What is wrong with fields, by their names. */
  problems?: ReadonlyMap<string, string> | undefined;
}

type Values = SavedForm['values'];

const formPattern = /<form\b[^>]*\baction="([^"]*)"[^>]*>[^]*?<\/form>/g;
const textareaPattern = /(<textarea\b[^>]*\bname="([^"]*)"[^>]*>)[^]*?(<\/textarea>)/g;
const selectPattern = /<select\b[^>]*\bname="([^"]*)"[^>]*>[^]*?<\/select>/g;
const inputPattern = /<input\b[^>]*>/g;

/** The value of an attribute as it is written; undefined without it. */
const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

const withoutFlag = (tag: string, name: string): string =>
  tag.replace(new RegExp(`\\s${name}(?:="[^"]*")?(?=[\\s/>])`), '');

const withAttribute = (tag: string, text: string): string =>
  tag.replace(/\s*\/?>$/, () => ` ${text}>`);

/** All values of a name, as they are written in HTML. */
const writtenValues = (values: Values, name: string): string[] =>
  [values[name] ?? []].flat().map((value) => escapeHtml(value));

function filledInput(tag: string, values: Values): string {
  const name = attributeOf(tag, 'name');
  const type = attributeOf(tag, 'type') ?? 'text';
  if (name === undefined || ['hidden', 'password', 'file', 'submit'].includes(type)) return tag;
  const written = writtenValues(values, name);
  if (type === 'checkbox' || type === 'radio') {
    const isChecked = written.includes(attributeOf(tag, 'value') ?? 'on');
    const plain = withoutFlag(tag, 'checked');
    return isChecked ? withAttribute(plain, 'checked') : plain;
  }
  return written[0] === undefined
    ? tag
    : withAttribute(withoutFlag(tag, 'value'), `value="${written[0]}"`);
}

function filledSelect(select: string, name: string, values: Values): string {
  const written = writtenValues(values, name);
  if (written.length === 0) return select;
  return select.replace(/<option\b[^>]*>/g, (option) => {
    const plain = withoutFlag(option, 'selected');
    return written.includes(attributeOf(option, 'value') ?? '')
      ? withAttribute(plain, 'selected')
      : plain;
  });
}

/** True when the hidden inputs of a form have the saved values: of equal forms, it is the one. */
const hasSameHidden = (form: string, values: Values): boolean =>
  (form.match(inputPattern) ?? [])
    .filter((tag) => attributeOf(tag, 'type') === 'hidden')
    .every((tag) => {
      const written = writtenValues(values, attributeOf(tag, 'name') ?? '');
      return written.length === 0 || written.includes(attributeOf(tag, 'value') ?? '');
    });

const controlPattern = /<(input|textarea|select)\b[^>]*>(?:[^]*?<\/\1>)?/g;

/** Puts what is wrong with a field after its control, which refers to it. */
function withProblem(control: string, problems: ReadonlyMap<string, string>): string {
  const [tag = ''] = /^<[^>]*>/.exec(control) ?? [];
  const id = attributeOf(tag, 'id');
  const error = problems.get((attributeOf(tag, 'name') ?? '').replace(/\[\]$/, ''));
  if (id === undefined || error === undefined) return control;
  const described = [`${id}-error`, attributeOf(tag, 'aria-describedby') ?? []].flat().join(' ');
  const marked = withAttribute(
    withoutFlag(tag, 'aria-describedby'),
    `aria-describedby="${described}" aria-invalid="true"`,
  );
  return `${marked}${control.slice(tag.length)}${FieldError({ id, error }) ?? ''}`;
}

function filledForm(form: string, { values, notice, problems = new Map() }: Refill): string {
  return form
    .replace(inputPattern, (tag) => filledInput(tag, values))
    .replace(textareaPattern, (area: string, opening: string, name: string, closing: string) => {
      const [written] = writtenValues(values, name);
      // The parser drops one line break at the start (HTML §13.2.6.4.7).
      return written === undefined ? area : `${opening}\n${written}${closing}`;
    })
    .replace(selectPattern, (select: string, name: string) => filledSelect(select, name, values))
    .replace(controlPattern, (control) => withProblem(control, problems))
    .replace(/^<form\b[^>]*>/, (tag) =>
      notice === undefined ? tag : `${tag}<p role="status">${escapeHtml(notice)}</p>`,
    );
}

/** Opens the disclosure that is open at the end of this HTML. */
function withOpenDetails(html: string): string {
  const at = html.lastIndexOf('<details');
  if (at < 0 || html.includes('</details>', at)) return html;
  const [tag = ''] = /^<[^>]*>/.exec(html.slice(at)) ?? [];
  const opened = withAttribute(withoutFlag(tag, 'open'), 'open');
  return html.slice(0, at) + opened + html.slice(at + tag.length);
}

const labelPattern = /<label\b[^>]*\bfor="([^"]*)"[^>]*>([^]*?)<\/label>/g;
const namedPattern = /<(?:input|textarea|select)\b[^>]*>/g;

/** The labels of the fields of a page's form for `action`, by their names. */
export function fieldLabels(html: string, action: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { 0: form, 1: target } of html.matchAll(formPattern)) {
    if (target !== escapeHtml(action)) continue;
    const texts = new Map([...form.matchAll(labelPattern)].map((found) => [found[1], found[2]]));
    for (const [tag] of form.matchAll(namedPattern)) {
      const text = texts.get(attributeOf(tag, 'id') ?? '');
      const name = attributeOf(tag, 'name')?.replace(/\[\]$/, '');
      if (text === undefined || name === undefined || labels.has(name)) continue;
      labels.set(name, unescapeHtml(text.replace(/<[^>]*>/g, '').trim()));
    }
  }
  return labels;
}

/**
 * Returns the HTML of a page with its form for `action` as it was filled in, after a notice.
 * The page is written by our own components, so that patterns can read it.
 */
export function refilled(html: string, refill: Refill): string {
  for (const { 0: form, 1: target, index } of html.matchAll(formPattern)) {
    if (target !== escapeHtml(refill.action) || !hasSameHidden(form, refill.values)) continue;
    const before = withOpenDetails(html.slice(0, index));
    return before + filledForm(form, refill) + html.slice(index + form.length);
  }
  return html;
}
