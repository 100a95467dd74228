import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ConfirmationRequest } from '../../../areas/identity/sign-in/confirmation.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { CodeField } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { formPage } from '../components/form-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import { consolePath } from '../../../lib/site-paths.ts';
import { texts } from './texts/en.ts';

const confirmPath = `${consolePath}confirm`;

/** What the script needs to know of a form that confirms. */
const mark = { 'data-confirm': true };

function codeForm(lead: string, verificationId: string | undefined, canResend: boolean): Html {
  return (
    <ConsoleForm
      action={`${confirmPath}/code`}
      values={{ verification_id: verificationId }}
      submit={{ label: texts.confirm }}
      otherButtons={
        canResend && (
          <Button
            label={texts.resend}
            kind="ghost"
            attributes={{ formaction: confirmPath, formnovalidate: true }}
          />
        )
      }
      attributes={mark}
    >
      <p>{escapeHtml(lead)}</p>
      <CodeField id="confirm-code" name="code" label={texts.code} hint={texts.hint} />
    </ConsoleForm>
  );
}

/** A form that the script fills in with what the passkey signs. */
const passkeyForm = (options: object, lead: string | undefined): Html => (
  <ConsoleForm
    action={`${confirmPath}/passkey`}
    values={{ credential: '' }}
    submit={{
      label: texts.usePasskey,
      icon: 'key',
      kind: lead === undefined ? 'secondary' : 'primary',
    }}
    attributes={{ ...mark, 'data-assert': JSON.stringify(options) }}
  >
    {lead !== undefined && <p>{escapeHtml(lead)}</p>}
  </ConsoleForm>
);

/** The form for a code as it was: no other code is sent. */
export const codeAgainPage = (verificationId: string | undefined): ConsolePage =>
  formPage({
    section: undefined,
    title: texts.title,
    children: codeForm(texts.again, verificationId, false),
  });

/** Asks for a code or a second factor. It has no address of its own. */
export function confirmPage(asked: ConfirmationRequest): ConsolePage {
  const page = { section: undefined, title: texts.title };
  if (asked.by === 'code') {
    const { to, verificationId } = asked;
    const lead = verificationId === undefined ? texts.alreadySent({ to }) : texts.sent({ to });
    return formPage({ ...page, children: codeForm(lead, verificationId, true) });
  }
  const { hasApp, passkey } = asked;
  const children = (
    <>
      {passkey !== undefined && passkeyForm(passkey, hasApp ? undefined : texts.passkey)}
      {hasApp && codeForm(texts.app, undefined, false)}
    </>
  );
  return formPage({ ...page, children });
}
