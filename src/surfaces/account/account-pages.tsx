import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Field, Form } from '../../platform/ui/components/form.tsx';
import { rich } from '../../lib/text/rich.ts';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { SessionRecord } from '../../areas/identity/sessions/records.ts';
import type { PasskeyInfo } from '../../areas/identity/factors/passkeys/service.ts';
import type { SecondFactorStatus } from '../../areas/identity/factors/service.ts';
import type { AccountView } from './account.ts';
import { factorResetBanner } from './factor-reset-banner.tsx';
import { dataPart, deletionBanner, deletionPart } from './data-pages.tsx';
import { buttonForm, EntryField, notice } from './fields.tsx';
import { passkeyForm } from './passkey-form.tsx';
import { picturePart, profilePart } from './profile-pages.tsx';
import { texts } from './texts/en.ts';

const fewCodes = 3;

const notices: Partial<Record<string, string>> = {
  session_ended: texts.account.sessionEnded,
  others_ended: texts.account.othersEnded,
  totp_confirmed: texts.account.totpConfirmed,
  totp_removed: texts.account.totpRemoved,
  passkey_added: texts.account.passkeyAdded,
  passkey_removed: texts.account.passkeyRemoved,
  passkey_refused: texts.account.passkeyRefused,
  profile_saved: texts.profile.saved,
  picture_uploaded: texts.picture.uploaded,
  picture_removed: texts.picture.removed,
  contact_changed: texts.contact.changed,
  export_started: texts.data.started,
  deletion_scheduled: texts.deletion.scheduled,
  account_kept: texts.deletion.kept,
  reset_canceled: texts.factorReset.canceled,
};

const noticeOf = (name: string | undefined): Html | undefined =>
  notice(name === undefined ? undefined : notices[name]);

function sessionItem({ id, client, used_at: usedAt }: SessionRecord, currentId: string): Html {
  const { sessions } = texts;
  const isCurrent = id === currentId;
  const end = buttonForm('/account/sessions/end', sessions.end, { id }, `session-${id}`);
  return (
    <li>
      <p id={`session-${id}`}>
        <strong safe>{client}</strong>{' '}
        {isCurrent ? <Badge text={sessions.current} tone="info" /> : undefined}
      </p>
      <p class="hint">{rich(sessions.lastActive, { used: () => <Time at={usedAt} /> })}</p>
      {isCurrent ? undefined : end}
    </li>
  );
}

function sessionPart({ session, sessions: all }: AccountView): Html {
  const { sessions } = texts;
  return (
    <>
      <h2 safe>{sessions.title}</h2>
      <ul class="item-list">{all.map((each) => sessionItem(each, session.id))}</ul>
      {all.length > 1 ? buttonForm('/account/sessions/end-others', sessions.endOthers) : undefined}
    </>
  );
}

function appPart({ totp }: SecondFactorStatus): Html {
  const { app } = texts;
  const isSetUp = totp?.verified === true;
  return (
    <>
      <h3 safe>{app.title}</h3>
      <p>
        {isSetUp
          ? rich(app.isSetUp, { since: () => <Time at={totp.createdAt} /> })
          : escapeHtml(app.none)}
      </p>
      {isSetUp
        ? buttonForm('/account/totp/remove', app.remove)
        : buttonForm('/account/totp', app.setUp)}
    </>
  );
}

function countText(count: number): string {
  const { none, left, fewLeft } = texts.backupCodes;
  if (count === 0) return none;
  return count <= fewCodes ? fewLeft({ count }) : left({ count });
}

function codesPart({ backupCodes: { left } }: SecondFactorStatus): Html {
  const { backupCodes } = texts;
  return (
    <>
      <h3 safe>{backupCodes.title}</h3>
      <p>
        {escapeHtml(countText(left))} {escapeHtml(backupCodes.use)}
      </p>
      {buttonForm('/account/backup-codes', backupCodes.create)}
    </>
  );
}

function passkeyItem({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyInfo): Html {
  const { passkeys } = texts;
  const added = () => <Time at={createdAt} />;
  const times =
    lastUsedAt === null
      ? rich(passkeys.unused, { added })
      : rich(passkeys.used, { added, used: () => <Time at={lastUsedAt} /> });
  const remove = buttonForm('/account/passkeys/remove', passkeys.remove, { id }, `passkey-${id}`);
  return (
    <li>
      <p id={`passkey-${id}`}>
        <strong safe>{backedUp ? passkeys.backedUp({ name }) : name}</strong>
      </p>
      <p class="hint">{times}</p>
      {remove}
    </li>
  );
}

const addPasskeyForm = (origin: string): Html => {
  const { passkeys } = texts;
  return passkeyForm({
    action: '/account/passkeys',
    kind: 'create',
    options: '/api/auth/2fa/passkeys/options',
    origin,
    button: passkeys.add,
    values: { credential: '' },
    inputs: (
      <Field
        id="passkey-name"
        name="name"
        label={passkeys.name}
        hint={passkeys.nameHint}
        maxLength={64}
      />
    ),
    without: passkeys.withoutScript,
  });
};

function passkeyPart({ factor: { passkeys: all }, passkeyOrigin }: AccountView): Html {
  const { passkeys } = texts;
  return (
    <>
      <h3 safe>{passkeys.title}</h3>
      <p safe>{all.length === 0 ? passkeys.none : passkeys.some}</p>
      {all.length === 0 ? undefined : <ul class="item-list">{all.map(passkeyItem)}</ul>}
      {passkeyOrigin === undefined ? (
        <p safe>{passkeys.unavailable}</p>
      ) : (
        addPasskeyForm(passkeyOrigin)
      )}
    </>
  );
}

function devicePart({ session: { user } }: AccountView): Html {
  const { devices } = texts;
  return (
    <>
      <h3 safe>{devices.title}</h3>
      <p safe>{devices.text}</p>
      <p>
        <a href="/account/devices" safe>
          {devices.own}
        </a>
      </p>
      {user.roles.includes('admin') ? (
        <p>
          <a href="/account/devices/requests" safe>
            {devices.requests}
          </a>
        </p>
      ) : undefined}
    </>
  );
}

/** Page of the user, their second factor and sessions. `done` selects the notice at the top. */
export function accountPage(view: AccountView, done: string | undefined): Page {
  const body = (
    <>
      {noticeOf(done)}
      {deletionBanner(view)}
      {factorResetBanner(view)}
      {profilePart(view)}
      {picturePart(view)}
      <h2 safe>{texts.security.title}</h2>
      {passkeyPart(view)}
      {appPart(view.factor)}
      {codesPart(view.factor)}
      {devicePart(view)}
      {sessionPart(view)}
      {dataPart(view)}
      {deletionPart(view)}
    </>
  );
  return { title: texts.account.title, isWide: true, script: 'passkeys.js', body };
}

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
      <p>
        <a href="/account" safe>
          {enrolApp.cancel}
        </a>
      </p>
    </>
  );
  return { title: enrolApp.title, isError: problem !== undefined, body };
}

/** Page of new backup codes, which are shown only once. `done` selects the notice at the top. */
export function backupCodesPage(
  codes: readonly string[],
  done?: 'totp_confirmed' | 'passkey_added',
): Page {
  const { newBackupCodes } = texts;
  const body = (
    <>
      {noticeOf(done)}
      <p safe>{newBackupCodes.keep}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li safe>{code}</li>
        ))}
      </ul>
      <p>
        <a href="/account" safe>
          {newBackupCodes.back}
        </a>
      </p>
    </>
  );
  return { title: newBackupCodes.title, body };
}
