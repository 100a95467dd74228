import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { accountSecurityPath } from '../../lib/site-paths.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Form } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { doneNotice } from './done-notices.tsx';
import { cancelLink, EntryField } from './fields.tsx';
import { texts } from './texts/en.ts';

/** The QR code of an authenticator app, and the form for its first code. */
export function enrolPage(uri: string, qrImage: string, problem?: 'wrong' | 'malformed'): Page {
  const { enrolApp } = texts;
  const errors = { wrong: enrolApp.error, malformed: enrolApp.noCode };
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const key = () => <code safe>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>;
  const body = (
    <>
      <p safe>{enrolApp.scan}</p>
      <img class="qr" src={qrImage} width="240" height="240" alt={enrolApp.image} />
      <p>{rich(enrolApp.key, { key })}</p>
      <Form action="/account/totp/confirm" values={{ uri }} submit={{ label: enrolApp.confirm }}>
        <EntryField
          name="code"
          label={enrolApp.label}
          hint={enrolApp.hint}
          error={problem && errors[problem]}
          maxLength={20}
          attributes={{
            class: 'control control-code',
            autocomplete: 'one-time-code',
            inputmode: 'numeric',
          }}
        />
      </Form>
      {cancelLink(enrolApp.cancel, accountSecurityPath)}
    </>
  );
  return { title: enrolApp.title, isError: problem !== undefined, body };
}

/** A text file as a link: it works without a script, and nothing of it is stored. */
const fileOf = (codes: readonly string[], app: string): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(
    `${texts.newBackupCodes.fileTitle({ app })}\n\n${codes.join('\n')}\n`,
  )}`;

function codeButtons(codes: readonly string[], app: string): Html {
  const { newBackupCodes } = texts;
  return (
    <div class="btn-row" data-codes-actions>
      <Button
        label={newBackupCodes.download}
        icon="download"
        href={fileOf(codes, app)}
        attributes={{ download: newBackupCodes.fileName }}
      />
      <template>
        <Button
          label={newBackupCodes.copy}
          icon="copy"
          type="button"
          attributes={{ 'data-do': 'copy' }}
        />
        <Button
          label={newBackupCodes.print}
          icon="print"
          type="button"
          attributes={{ 'data-do': 'print' }}
        />
      </template>
    </div>
  );
}

/** Page of new backup codes, which are shown only once. `done` selects the notice at the top. */
export function backupCodesPage(
  codes: readonly string[],
  app: string,
  done?: 'totp_confirmed' | 'passkey_added',
): Page {
  const { newBackupCodes } = texts;
  const body = (
    <>
      {doneNotice(done)}
      <p safe>{newBackupCodes.keep}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li safe>{code}</li>
        ))}
      </ul>
      {codeButtons(codes, app)}
      <p class="codes-back">
        <Button label={newBackupCodes.back} kind="primary" href={accountSecurityPath} />
      </p>
    </>
  );
  return {
    title: newBackupCodes.title,
    styles: ['account.css'],
    script: 'account.js',
    body,
  };
}
