import { escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { CodeField, Field, Form } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { accountPath } from '../../lib/site-paths.ts';
import type { AccountView } from './account.ts';
import { framedForm } from './framed.tsx';
import { texts } from './texts/en.ts';

export type ContactKind = 'email' | 'phone';

/**
 * Asks for an address or number: another one, or the first. `problem`: it can't be read, or another
 * account has it.
 */
export function changeContactPage(
  view: AccountView,
  kind: ContactKind,
  value = '',
  problem?: 'invalid' | 'taken',
): Page {
  const { contact } = texts;
  const { profile } = view;
  const isFirst = (kind === 'email' ? profile.email : profile.phone_number) === null;
  const text = { ...contact[kind], ...(isFirst && contact[kind].first) };
  const errors = { invalid: text.error, taken: text.taken };
  const body = (
    <Form action={`/account/${kind}`} submit={{ label: contact.send }} cancel={accountPath}>
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
  );
  const page = { title: text.title, isError: problem !== undefined, body };
  return framedForm(view, 'profile', page);
}

/** Asks for the code that was sent to the new address or number. */
export function contactCodePage(
  view: AccountView,
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
      <Form
        action={`/account/${kind}/confirm`}
        submit={{ label: contact.confirm }}
        cancel={accountPath}
      >
        <CodeField
          id="code"
          label={contact.codeLabel}
          hint={contact.codeHint}
          error={problem && errors[problem]}
        />
      </Form>
      <p>
        <a href={`/account/${kind}`} safe>
          {contact[kind].restart}
        </a>
      </p>
    </>
  );
  const page = { title: contact.codeTitle, isError: problem !== undefined, body };
  return framedForm(view, 'profile', page);
}
