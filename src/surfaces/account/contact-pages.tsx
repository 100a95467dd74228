import { escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { CodeField, Field, Form } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { cancelLink } from './fields.tsx';
import { texts } from './texts/en.ts';

export type ContactKind = 'email' | 'phone';

/** Asks for the new address or number. `problem`: it can't be read, or another account has it. */
export function changeContactPage(
  kind: ContactKind,
  value = '',
  problem?: 'invalid' | 'taken',
): Page {
  const { contact } = texts;
  const text = contact[kind];
  const errors = { invalid: text.error, taken: contact.taken };
  const body = (
    <>
      <Form action={`/account/${kind}`} submit={{ label: contact.send }}>
        <Field
          id={kind}
          type={kind === 'email' ? 'email' : 'tel'}
          label={text.label}
          hint={text.hint}
          value={value}
          error={problem === undefined ? undefined : errors[problem]}
          maxLength={320}
          isRequired
          attributes={{ autocomplete: kind === 'email' ? 'email' : 'tel' }}
        />
      </Form>
      {cancelLink(contact.cancel)}
    </>
  );
  return { title: text.title, isError: problem !== undefined, body };
}

/** Asks for the code that was sent to the new address or number. */
export function contactCodePage(
  kind: ContactKind,
  to: string | undefined,
  problem?: 'wrong' | 'malformed',
): Page {
  const { contact } = texts;
  const errors = { wrong: contact.codeError, malformed: contact.noCode };
  const body = (
    <>
      {to === undefined ? undefined : (
        <p>{rich(contact.sent, { to: () => <strong>{escapeHtml(to)}</strong> })}</p>
      )}
      <Form action={`/account/${kind}/confirm`} submit={{ label: contact.confirm }}>
        <CodeField
          id="code"
          label={contact.codeLabel}
          hint={contact.codeHint}
          error={problem && errors[problem]}
        />
      </Form>
      <p>
        <a href={`/account/${kind}`} safe>
          {contact.restart}
        </a>
      </p>
      {cancelLink(contact.cancel)}
    </>
  );
  return { title: contact.codeTitle, isError: problem !== undefined, body };
}
