import type { Content, Html } from '../../../lib/text/html.ts';
import type { ButtonOptions } from '../../../platform/ui/components/button.tsx';
import { Field, Form, type FormOptions } from '../../../platform/ui/components/form.tsx';
import { Points } from './form-about.tsx';
import { texts } from '../texts/en.ts';

/** A form that changes something. The script sends it with a proof of the device's key. */
export const ConsoleForm = (options: FormOptions): Html => (
  <Form {...options} attributes={{ 'data-send': true, ...options.attributes }} />
);

export interface ActionButtonOptions
  extends
    Pick<FormOptions, 'action' | 'values'>,
    Pick<ButtonOptions, 'label' | 'kind' | 'size' | 'icon' | 'isIconOnly'> {
  action: string;
  /** Id of what the button acts on, which screen readers read with it. */
  about?: string | undefined;
}

/** A button that changes something: a form without fields. */
export function ActionButton({ action, values, about, ...button }: ActionButtonOptions): Html {
  const submit: ButtonOptions = {
    kind: 'secondary',
    size: 'small',
    ...button,
    attributes: { 'aria-describedby': about },
  };
  return <ConsoleForm action={action} values={values ?? {}} submit={submit} isInline />;
}

export interface WordFormOptions extends Pick<FormOptions, 'values' | 'cancel'> {
  action: string;
  id: string;
  /** The text to type. The service checks it too. */
  word: string;
  /** What is lost. */
  warning: string;
  submit: string;
  /** What is deleted and what stays, in sentences. */
  points?: readonly string[];
  /** Fields before the word. */
  children?: Content;
}

/** A form for actions that can't be undone: a word has to be typed. */
export function WordForm(options: WordFormOptions): Html {
  const { id, word, warning, submit, action, values, cancel, points = [], children } = options;
  // The pattern is a regular expression: special characters are replaced by `.`.
  const pattern = word.replace(/[^\w ]/gu, '.');
  return (
    <ConsoleForm
      action={action}
      values={values ?? {}}
      submit={{ label: submit, kind: 'danger' }}
      cancel={cancel}
    >
      {points.length > 0 && <Points items={points} />}
      {children}
      <Field
        id={id}
        name="confirm"
        label={texts.confirm.label({ word })}
        hint={warning}
        maxLength={300}
        isRequired
        attributes={{ pattern, title: word }}
      />
    </ConsoleForm>
  );
}
