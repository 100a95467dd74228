import { type Attributes, type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon } from '../icon.tsx';
import { texts } from '../texts/en.ts';
import { Button, type ButtonOptions } from './button.tsx';

export interface FieldOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  label: string;
  hint?: string | undefined;
  /** What is wrong and what to do. */
  error?: string | undefined;
  /** The label is only for screen readers. */
  isLabelHidden?: boolean;
  /** Replaces the label where it is more than text, such as a scope in code. */
  content?: Html | undefined;
}

type InputType =
  | 'text'
  | 'search'
  | 'email'
  | 'tel'
  | 'url'
  | 'number'
  | 'date'
  | 'datetime-local'
  | 'password'
  | 'file'
  | 'color';

export interface InputOptions extends FieldOptions {
  type?: InputType;
  value?: string | undefined;
  maxLength?: number;
  isRequired?: boolean;
  /** Such as `inputmode`, `min` and `autocomplete` (default: `off`). */
  attributes?: Attributes;
}

/** The ids of the hint and the error, which screen readers read with the control. */
function description({ id, hint, error }: FieldOptions): Attributes {
  const ids = [error === undefined ? [] : `${id}-error`, hint === undefined ? [] : `${id}-hint`];
  const described = ids.flat().join(' ');
  return {
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : 'true',
  };
}

/** What is wrong with a field, below it. Its id is `${id}-error`. */
export const FieldError = ({ id, error }: Pick<FieldOptions, 'id' | 'error'>): Html | undefined =>
  error === undefined ? undefined : (
    <p class="field-error" id={`${id}-error`}>
      <Icon name="error" />
      {escapeHtml(error)}
    </p>
  );

function labelled(field: FieldOptions, control: Html): Html {
  const { id, label, hint, isLabelHidden = false } = field;
  return (
    <div class="form-field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {field.content ?? escapeHtml(label)}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`} safe>
          {hint}
        </p>
      )}
      {control}
      {FieldError(field)}
    </div>
  );
}

/** The types of inputs that take `maxlength` (HTML §4.10.5.1). */
const lengthTypes: readonly InputType[] = ['text', 'search', 'email', 'tel', 'url', 'password'];

/** A labelled input with its hint and its error. */
export function Field(options: InputOptions): Html {
  const { id, name = id, type = 'text', value, maxLength = 200, isRequired = false } = options;
  const maxlength = lengthTypes.includes(type) ? maxLength : undefined;
  // A file has no autocomplete (HTML §4.10.18.7.1).
  const autocomplete = type === 'file' || type === 'color' ? undefined : 'off';
  const input = { id, name, type, value, maxlength, autocomplete, required: isRequired };
  return labelled(
    options,
    <input class="control" {...input} {...description(options)} {...options.attributes} />,
  );
}

type Choice = readonly [value: string, text: string, title?: string | undefined];

const choices = (all: readonly Choice[], chosen: string | undefined): Html[] =>
  all.map(([value, text, title]) => (
    <option value={value} title={title} selected={value === chosen} safe>
      {text}
    </option>
  ));

export interface SelectOptions extends FieldOptions {
  options: readonly Choice[];
  /** After the options, under headings. */
  groups?: readonly { label: string; options: readonly Choice[] }[];
  value?: string | undefined;
  attributes?: Attributes;
}

/** A labelled list of choices. */
export function SelectField(field: SelectOptions): Html {
  const { id, name = id, options, groups = [], value } = field;
  return labelled(
    field,
    <select class="control" id={id} name={name} {...description(field)} {...field.attributes}>
      {choices(options, value)}
      {groups.map((group) => (
        <optgroup label={group.label}>{choices(group.options, value)}</optgroup>
      ))}
    </select>,
  );
}

export interface TextFieldOptions extends FieldOptions {
  value?: string | undefined;
  rows?: number;
  maxLength?: number;
  isRequired?: boolean;
  attributes?: Attributes;
}

/** A labelled input of several lines. */
export function TextField(field: TextFieldOptions): Html {
  const { id, name = id, value = '', rows = 4, maxLength = 10_000 } = field;
  const input = { id, name, rows: String(rows), maxlength: maxLength, ...field.attributes };
  const required = field.isRequired ?? false;
  return labelled(
    field,
    <textarea class="control" {...input} required={required} {...description(field)} safe>
      {value}
    </textarea>,
  );
}

export interface LinesFieldOptions extends FieldOptions {
  values: readonly string[];
}

/** A labelled input of a list, one value on each line. */
export const LinesField = ({ values, ...field }: LinesFieldOptions): Html => (
  <TextField
    {...field}
    value={values.join('\n')}
    rows={Math.min(8, Math.max(2, values.length + 1))}
    maxLength={20_000}
    attributes={{ spellcheck: 'false' }}
  />
);

/**
 * A one-time code in one input: spaces and a pasted code are accepted, and phones offer the code
 * of a message (HTML `one-time-code`).
 */
export const CodeField = (options: FieldOptions & { length?: number }): Html =>
  labelled(
    options,
    <input
      class="control control-code"
      id={options.id}
      name={options.name ?? options.id}
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[0-9 ]*"
      maxlength={2 * (options.length ?? 6)}
      required
      {...description(options)}
    />,
  );

export interface CheckFieldOptions extends FieldOptions {
  isChecked?: boolean;
  /** What the form sends when it is on. Default: `true`. */
  value?: string;
  /** `radio`: one of several with the same name. */
  type?: 'checkbox' | 'radio';
  attributes?: Attributes;
}

/** A choice that is on or off. */
export const CheckField = (options: CheckFieldOptions): Html => (
  <div class="form-check">
    <input
      type={options.type ?? 'checkbox'}
      id={options.id}
      name={options.name ?? options.id}
      value={options.value ?? 'true'}
      checked={options.isChecked ?? false}
      {...description(options)}
      {...options.attributes}
    />
    <label for={options.id}>{options.content ?? escapeHtml(options.label)}</label>
    {options.hint !== undefined && (
      <p class="hint" id={`${options.id}-hint`} safe>
        {options.hint}
      </p>
    )}
    {FieldError(options)}
  </div>
);

export interface FieldSetOptions {
  legend: string;
  /** For screen readers alone, where a title says the same. */
  isLegendHidden?: boolean;
  /** Whether all fields in it are disabled. */
  isDisabled?: boolean;
  children?: Content;
}

/** Choices that belong together, such as the days of a report. */
export const FieldSet = ({
  legend,
  isLegendHidden = false,
  isDisabled = false,
  children,
}: FieldSetOptions): Html => (
  <fieldset class="form-fieldset" disabled={isDisabled}>
    <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{escapeHtml(legend)}</legend>
    {children}
  </fieldset>
);

export interface FormOptions {
  /** Default: the page's own URL. */
  action?: string;
  /** Default: `post`. A `get` form filters a list. */
  method?: 'get' | 'post';
  /** Hidden values; `undefined` is left out, and lists repeat the name. */
  values?: Readonly<Record<string, string | readonly string[] | undefined>>;
  submit: ButtonOptions;
  /** Further buttons, after the one that the Enter key presses. */
  otherButtons?: Content;
  /** Where `Cancel` leads. In a drawer, the drawer's own button replaces it. */
  cancel?: string | undefined;
  /** Beside the buttons: what happens, such as how many people get a mail. */
  note?: string | undefined;
  /** All fields in one row: a search or a filter. */
  isInline?: boolean;
  attributes?: Attributes;
  children?: Content;
}

/** Hidden inputs for values; `undefined` is left out, and lists repeat the name. */
export const hiddenValues = (values: NonNullable<FormOptions['values']>): Html[] =>
  Object.entries(values).flatMap(([name, value = []]) =>
    [value].flat().map((each) => <input type="hidden" name={name} value={each} />),
  );

/** A form. It works without JavaScript; the console's script sends it and keeps the place. */
export function Form(options: FormOptions): Html {
  const { action, method = 'post', values = {}, submit, isInline = false, children } = options;
  const { note, cancel } = options;
  const look = isInline ? 'form form-inline' : 'form';
  return (
    <form class={look} method={method} action={action} {...options.attributes}>
      {hiddenValues(values)}
      {children}
      <div class="btn-row">
        <Button kind="primary" {...submit} />
        {options.otherButtons}
        {cancel !== undefined && (
          <Button
            label={texts.form.cancel}
            kind="ghost"
            href={cancel}
            attributes={{ 'data-cancel': true }}
          />
        )}
        {note !== undefined && <span class="hint form-note">{escapeHtml(note)}</span>}
      </div>
    </form>
  );
}

/** A field that only bots fill in: it is named `website`, and hidden from people. */
export const Honeypot = ({ label }: { label: string }): Html => (
  <div class="visually-hidden" aria-hidden="true">
    <label for="website" safe>
      {label}
    </label>
    <input id="website" name="website" type="text" tabindex="-1" autocomplete="off" />
  </div>
);
