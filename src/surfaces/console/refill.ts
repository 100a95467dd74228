import { escapeHtml } from '../../lib/text/html.ts';
import type { KeptForm } from './kept-forms.ts';

type Values = KeptForm['values'];

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

/** True when the hidden inputs of a form have the kept values: of equal forms, it is the one. */
const hasSameHidden = (form: string, values: Values): boolean =>
  (form.match(inputPattern) ?? [])
    .filter((tag) => attributeOf(tag, 'type') === 'hidden')
    .every((tag) => {
      const written = writtenValues(values, attributeOf(tag, 'name') ?? '');
      return written.length === 0 || written.includes(attributeOf(tag, 'value') ?? '');
    });

function filledForm(form: string, values: Values, notice: string): string {
  return form
    .replace(inputPattern, (tag) => filledInput(tag, values))
    .replace(textareaPattern, (area: string, opening: string, name: string, closing: string) => {
      const [written] = writtenValues(values, name);
      // The parser drops one line break at the start (HTML §13.2.6.4.7).
      return written === undefined ? area : `${opening}\n${written}${closing}`;
    })
    .replace(selectPattern, (select: string, name: string) => filledSelect(select, name, values))
    .replace(/^<form\b[^>]*>/, (tag) => `${tag}<p role="status">${escapeHtml(notice)}</p>`);
}

/**
 * Returns the HTML of a page with its form for `action` as it was filled, and a notice before it.
 * The page is written by our own components, so that patterns can read it.
 */
export function refilled(html: string, { action, values }: KeptForm, notice: string): string {
  let isFilled = false;
  const fill = (form: string, target: string): string => {
    if (isFilled || target !== escapeHtml(action) || !hasSameHidden(form, values)) return form;
    isFilled = true;
    return filledForm(form, values, notice);
  };
  return html.replace(formPattern, fill);
}
