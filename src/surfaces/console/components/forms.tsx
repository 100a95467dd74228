import { type Attributes, type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { texts } from '../texts/en.ts';

export interface FormOptions {
  action: string;
  /** Hidden values; `undefined` is left out. */
  values?: Readonly<Record<string, string | undefined>>;
  /** Labelled inputs. */
  inputs?: Content | undefined;
  button: string;
  /** Id of what the button acts on. */
  about?: string | undefined;
  kind?: 'first' | 'second' | 'danger' | 'link';
  isInline?: boolean;
}

export const hiddenInput = (name: string, value: string): Html => (
  <input type="hidden" name={name} value={value} />
);

/** A form that changes something. The script submits it with a proof of the device's key. */
export function postForm({
  action,
  values = {},
  inputs,
  button,
  about,
  kind = 'second',
  isInline = inputs === undefined,
}: FormOptions): Html {
  const hidden = Object.entries(values).map(([name, value]) =>
    value === undefined ? <></> : hiddenInput(name, value),
  );
  const form = { action, class: isInline ? 'inline' : undefined, 'data-send': true };
  const type = { class: kind, 'aria-describedby': about };
  const submit = (
    <button type="submit" {...type} safe>
      {button}
    </button>
  );
  return (
    <form method="post" {...form}>
      {hidden}
      {inputs}
      {submit}
    </form>
  );
}

export interface FieldOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  type?: string;
  maxLength?: number;
  error?: string | undefined;
  /** Attributes of the input beyond the usual ones. */
  attributes?: Attributes;
}

const textTypes = ['text', 'search', 'email', 'url', 'password'];

const hintText = (id: string, hint: string | undefined): Html | undefined =>
  hint === undefined ? undefined : (
    <p class="hint" id={`${id}-hint`} safe>
      {hint}
    </p>
  );

const errorText = (id: string, error: string | undefined): Html | undefined =>
  error === undefined ? undefined : (
    <p class="error" id={`${id}-error`} safe>
      {error}
    </p>
  );

const labelled = (id: string, label: string, content: Html): Html => (
  <div class="field">
    <label for={id} safe>
      {label}
    </label>
    {content}
  </div>
);

/** A labelled input. Screen readers read its hint and its error with it. */
export function field({
  id,
  name = id,
  label,
  hint,
  value = '',
  type = 'text',
  maxLength = 200,
  error,
  attributes: more,
}: FieldOptions): Html {
  const described = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ].join(' ');
  const input = {
    id,
    name,
    type,
    value,
    maxlength: textTypes.includes(type) ? maxLength : undefined,
    autocomplete: type === 'password' ? 'new-password' : 'off',
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : 'true',
    ...more,
  };
  return labelled(
    id,
    label,
    <>
      {hintText(id, hint)}
      {errorText(id, error)}
      <input {...input} />
    </>,
  );
}

export interface TextareaOptions extends Pick<FieldOptions, 'id' | 'name' | 'label' | 'hint'> {
  value?: string;
  maxLength?: number;
  rows?: number;
}

/** A labelled input of several lines. */
export function textarea({
  id,
  name = id,
  label,
  hint,
  maxLength = 10_000,
  value = '',
  rows = 4,
}: TextareaOptions): Html {
  const input = {
    id,
    name,
    rows: String(rows),
    maxlength: maxLength,
    required: true,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  };
  return labelled(
    id,
    label,
    <>
      {hintText(id, hint)}
      <textarea {...input}>{escapeHtml(value)}</textarea>
    </>,
  );
}

export interface LinesOptions extends Pick<FieldOptions, 'id' | 'label'> {
  hint: string;
  values: readonly string[];
}

/** A labelled input of a list, one value on each line. Its name is its id. */
export function lines({ id, label, hint, values }: LinesOptions): Html {
  const input = {
    id,
    name: id,
    rows: String(Math.min(8, Math.max(2, values.length + 1))),
    maxlength: 20_000,
    'aria-describedby': `${id}-hint`,
    spellcheck: 'false',
  };
  const text = values.join('\n');
  return labelled(
    id,
    label,
    <>
      {hintText(id, hint)}
      <textarea {...input}>{escapeHtml(text)}</textarea>
    </>,
  );
}

export type Option = readonly [value: string, text: string];

/** The options of a list, one of them selected. */
export const options = (all: readonly Option[], selected?: string): Html[] =>
  all.map(([value, text]) => (
    <option {...{ value, selected: value === selected }} safe>
      {text}
    </option>
  ));

export interface SelectOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  label: string;
  options: readonly Option[];
  value?: string | undefined;
}

/** A labelled list to choose from. */
export const select = ({ id, name = id, label, options: all, value }: SelectOptions): Html =>
  labelled(
    id,
    label,
    <select id={id} name={name}>
      {options(all, value)}
    </select>,
  );

export interface CheckboxOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  value?: string;
  label: Html;
  isChecked?: boolean;
}

export function checkbox({
  id,
  name = id,
  value = 'true',
  label,
  isChecked = false,
}: CheckboxOptions): Html {
  const input = <input type="checkbox" {...{ id, name, value, checked: isChecked }} />;
  return (
    <div class="check">
      {input}
      <label for={id}>{label}</label>
    </div>
  );
}

export interface ConfirmFormOptions extends Pick<FormOptions, 'action' | 'values' | 'button'> {
  id: string;
  /** What opens the form. */
  open: string;
  /** The text to type. The service checks it too. */
  word: string;
  warning: string;
}

/** A form for actions that can't be undone: it has to be opened, and a word has to be typed. */
export function confirmForm({
  id,
  action,
  values,
  open,
  word,
  warning,
  button,
}: ConfirmFormOptions): Html {
  // The pattern is a regular expression: special characters are replaced by `.`.
  const inputs = field({
    id,
    name: 'confirm',
    label: texts.confirm.label({ word }),
    hint: warning,
    maxLength: 300,
    attributes: { required: true, pattern: word.replace(/[^\w ]/gu, '.'), title: word },
  });
  const form = postForm({ action, values: values ?? {}, inputs, button, kind: 'danger' });
  return (
    <details class="typed">
      <summary safe>{open}</summary>
      {form}
    </details>
  );
}
