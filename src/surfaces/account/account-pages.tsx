import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { hasAnyRole } from '../../lib/access.ts';
import type { Page } from '../../platform/ui/pages.tsx';
import type { SessionRecord } from '../../areas/auth/sessions/session-records.ts';
import type { PasskeyInfo } from '../../areas/second-factor/passkeys/passkeys.ts';
import type { SecondFactorStatus } from '../../areas/second-factor/service.ts';
import type { AccountView } from './account.ts';
import { buttonForm, field, hidden } from './fields.tsx';
import { passkeyForm } from './passkey-form.tsx';
import { passkeyScriptPath } from './passkey-script.ts';

const fewCodes = 3;

const notices: Partial<Record<string, string>> = {
  session_ended: 'The session has ended.',
  others_ended: 'All other sessions have ended.',
  totp_confirmed: 'Your authenticator app is set up. All other sessions have ended.',
  totp_removed: 'The authenticator app is removed. All other sessions have ended.',
  passkey_added: 'Your passkey is added. All other sessions have ended.',
  passkey_removed: 'The passkey is removed. All other sessions have ended.',
  passkey_refused: 'The passkey was not accepted, and nothing was changed. Try again.',
};

function time(at: number | Date): Html {
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{escapeHtml(iso.slice(0, 16).replace('T', ' '))} UTC</time>;
}

function sessionItem({ id, client, used_at: usedAt }: SessionRecord, currentId: string): Html {
  const isCurrent = id === currentId;
  const name = `${client}${isCurrent ? ' (this one)' : ''}`;
  const end = (
    <form method="post" action="/account/sessions/end">
      {hidden({ id })}
      <button class="second" aria-describedby={`session-${id}`}>
        End this session
      </button>
    </form>
  );
  return (
    <li>
      <p id={`session-${id}`}>
        {escapeHtml(name)}, last used {time(usedAt)}
      </p>
      {isCurrent ? undefined : end}
    </li>
  );
}

function sessionPart({ session, sessions }: AccountView): Html {
  return (
    <>
      <h2>Sessions</h2>
      <ul class="sessions">{sessions.map((each) => sessionItem(each, session.id))}</ul>
      {sessions.length > 1
        ? buttonForm('/account/sessions/end-others', 'End all other sessions')
        : undefined}
    </>
  );
}

function appPart({ totp }: SecondFactorStatus): Html {
  if (totp?.verified !== true)
    return (
      <>
        <p>No authenticator app is set up.</p>
        {buttonForm('/account/totp', 'Set up an authenticator app')}
      </>
    );
  const since = <>An authenticator app is set up since {time(totp.createdAt)}.</>;
  return (
    <>
      <p>{since} Every sign-in asks for a code of it.</p>
      {buttonForm('/account/totp/remove', 'Remove the authenticator app')}
    </>
  );
}

function codesPart({ backupCodes: { left } }: SecondFactorStatus): Html {
  const few = left > 0 && left <= fewCodes ? ' Make new ones soon.' : '';
  const count = left === 0 ? 'You have no backup codes.' : `Backup codes left: ${left}.${few}`;
  return (
    <>
      <p>
        {escapeHtml(count)} Each lets you in once without your app or passkey. New ones end those
        before.
      </p>
      {buttonForm('/account/backup-codes', 'Make new backup codes')}
    </>
  );
}

function passkeyItem({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyInfo): Html {
  const used = lastUsedAt === null ? <>not used yet</> : <>last used {time(lastUsedAt)}</>;
  const title = `${name}${backedUp ? ' (backed up)' : ''}`;
  const remove = (
    <form method="post" action="/account/passkeys/remove">
      {hidden({ id })}
      <button class="second" aria-describedby={`passkey-${id}`}>
        Remove this passkey
      </button>
    </form>
  );
  return (
    <li>
      <p id={`passkey-${id}`}>
        {escapeHtml(title)}, added {time(createdAt)}, {used}
      </p>
      {remove}
    </li>
  );
}

function passkeyPart({ factor: { passkeys }, passkeyOrigin }: AccountView): Html {
  const list = <ul class="sessions">{passkeys.map(passkeyItem)}</ul>;
  const add =
    passkeyOrigin === undefined ? (
      <p>This service has no host name that a passkey could belong to.</p>
    ) : (
      passkeyForm({
        action: '/account/passkeys',
        kind: 'create',
        options: '/api/auth/2fa/passkeys/options',
        origin: passkeyOrigin,
        button: 'Add a passkey',
        inputs: (
          <>
            {hidden({ credential: '' })}
            <label for="passkey-name">Name</label>
            <p class="hint" id="passkey-name-hint">
              To recognise it by, such as the device. May be left empty.
            </p>
            <input
              id="passkey-name"
              name="name"
              type="text"
              maxlength="64"
              autocomplete="off"
              aria-describedby="passkey-name-hint"
            />
          </>
        ),
        without:
          'To add a passkey you need JavaScript. Everything else on this page works without.',
      })
    );
  return (
    <>
      <h2>Passkeys</h2>
      <p safe>
        {passkeys.length === 0
          ? 'You have no passkey. With one your device or security key is your second factor.'
          : 'Each is a second factor by itself: every sign-in asks for one of yours.'}
      </p>
      {passkeys.length === 0 ? undefined : list}
      {add}
    </>
  );
}

/** Page of the user, their sessions and second factor. `done` selects the notice at the top. */
export function accountPage(view: AccountView, done: string | undefined): Page {
  const { email, phone, name, roles } = view.session.user;
  const notice = done === undefined ? undefined : notices[done];
  const body = (
    <>
      {notice === undefined ? undefined : (
        <p class="notice" role="status" safe>
          {notice}
        </p>
      )}
      <p>
        You are signed in as{' '}
        {escapeHtml([name, email, phone].filter((text) => text !== null).join(', '))}.
      </p>
      {hasAnyRole(roles) ? (
        <p>
          <a href={consolePath}>Open the console</a>
        </p>
      ) : undefined}
      {buttonForm('/account/sign-out', 'Sign out', {}, false)}
      {sessionPart(view)}
      <h2>Devices</h2>
      <p>
        <a href="/account/devices">Your devices</a>, and whether this one is cleared
      </p>
      {roles.includes('admin') ? (
        <p>
          <a href="/account/devices/requests">Requests for clearance</a>
        </p>
      ) : undefined}
      <h2>Second factor</h2>
      {appPart(view.factor)}
      {codesPart(view.factor)}
      {passkeyPart(view)}
    </>
  );
  return { title: 'Your account', isWide: true, script: passkeyScriptPath, body };
}

/** The QR code of an authenticator app, and the form for its first code. */
export function enrolPage(uri: string, qrImage: string, isWrong = false): Page {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const input = field({
    name: 'code',
    label: 'Code',
    hint: 'The six digits that the app shows now.',
    error: isWrong ? 'This code is not right. Enter the one that the app shows now.' : undefined,
    attributes: { autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: '20' },
  });
  const body = (
    <>
      <p>Scan this picture with your authenticator app.</p>
      <img class="qr" src={qrImage} width="240" height="240" alt="QR code with the key below" />
      <p>
        Or enter this key there: <code safe>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <form method="post" action="/account/totp/confirm">
        {hidden({ uri })}
        {input}
        <button>Confirm</button>
      </form>
      <p>
        <a href="/account">Not now</a>
      </p>
    </>
  );
  return { title: 'Set up an authenticator app', isError: isWrong, body };
}

/** Page of new backup codes, which are shown only once. `done` selects the notice at the top. */
export function backupCodesPage(
  codes: readonly string[],
  done?: 'totp_confirmed' | 'passkey_added',
): Page {
  const body = (
    <>
      {done === undefined ? undefined : (
        <p class="notice" role="status" safe>
          {notices[done]}
        </p>
      )}
      <p>
        Keep these codes in a safe place. Each lets you in once without your app or passkey. They
        are not shown again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li safe>{code}</li>
        ))}
      </ul>
      <p>
        <a href="/account">Back to your account</a>
      </p>
    </>
  );
  return { title: 'Your backup codes', body };
}
