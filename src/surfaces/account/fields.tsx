import type { Attributes, Html } from '../../lib/text/html.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Field, type FieldOptions, Form } from '../../platform/ui/components/form.tsx';

export interface EntryField extends Omit<FieldOptions, 'id'> {
  /** Also its id. */
  name: string;
  value?: string;
  maxLength: number;
  /** Attributes beyond the usual ones. */
  attributes: Attributes;
}

/** The one field of a step. It has the focus when the page opens. */
export const EntryField = ({ name, attributes, ...field }: EntryField): Html => (
  <Field
    id={name}
    {...field}
    isRequired
    attributes={{ autofocus: true, autocapitalize: 'none', spellcheck: 'false', ...attributes }}
  />
);

/** What was just done, or why the page is shown. */
export const notice = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : <Banner text={text} tone="info" role="status" />;

export interface ButtonFormOptions {
  /** Hidden values. */
  values?: Readonly<Record<string, string>>;
  /** Id of what the button is about, for screen readers. */
  about?: string;
  /** At the end of a row: quiet. */
  isQuiet?: boolean;
}

/** A form with a single button. */
export const buttonForm = (
  action: string,
  label: string,
  { values = {}, about, isQuiet = false }: ButtonFormOptions = {},
): Html => (
  <Form
    action={action}
    values={values}
    isInline
    submit={{
      label,
      ...(isQuiet ? { kind: 'secondary', size: 'small' } : { kind: 'secondary' }),
      attributes: { 'aria-describedby': about },
    }}
  />
);

/** Leads back to a page of the account. */
export const cancelLink = (text: string, href: string): Html => (
  <p>
    <a href={href} safe>
      {text}
    </a>
  </p>
);
