import type { Attributes, Content, Html } from '../../../lib/text/html.ts';
import type { ButtonOptions } from '../../../platform/ui/components/button.tsx';
import {
  CheckField,
  Field,
  type InputType,
  SelectField,
  TextField,
} from '../../../platform/ui/components/form.tsx';
import { ConfirmForm, ConsoleForm } from './console-form.tsx';

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

const kinds = { first: 'primary', second: 'secondary', danger: 'danger', link: 'ghost' } as const;

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
  const submit: ButtonOptions = {
    label: button,
    kind: kinds[kind],
    size: isInline ? 'small' : 'medium',
    attributes: { 'aria-describedby': about },
  };
  return (
    <ConsoleForm action={action} values={values} submit={submit} isInline={isInline}>
      {inputs}
    </ConsoleForm>
  );
}

export interface FieldOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  type?: InputType;
  maxLength?: number;
  error?: string | undefined;
  /** Attributes of the input beyond the usual ones. */
  attributes?: Attributes;
}

/** A labelled input. Screen readers read its hint and its error with it. */
export const field = ({ maxLength = 200, type = 'text', ...options }: FieldOptions): Html => (
  <Field {...options} type={type} maxLength={maxLength} />
);

export interface TextareaOptions extends Pick<FieldOptions, 'id' | 'name' | 'label' | 'hint'> {
  value?: string;
  maxLength?: number;
  rows?: number;
}

/** A labelled input of several lines. */
export const textarea = (options: TextareaOptions): Html => <TextField {...options} isRequired />;

export interface SelectOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  value?: string | undefined;
}

/** A labelled list to choose from. */
export const select = (field: SelectOptions): Html => <SelectField {...field} />;

export interface CheckboxOptions {
  id: string;
  /** Default: the id. */
  name?: string;
  value?: string;
  label: Html;
  isChecked?: boolean;
}

export const checkbox = ({ label, ...options }: CheckboxOptions): Html => (
  <CheckField {...options} label="" content={label} />
);

export interface ConfirmFormOptions extends Pick<FormOptions, 'action' | 'values' | 'button'> {
  id: string;
  /** What opens the form. */
  open: string;
  /** The text to type. The service checks it too. */
  word: string;
  warning: string;
}

/** A form for actions that can't be undone: it has to be opened, and a word has to be typed. */
export const confirmForm = ({ button, ...options }: ConfirmFormOptions): Html => (
  <ConfirmForm {...options} submit={button} />
);
