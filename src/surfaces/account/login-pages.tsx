import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { type Page, waitText } from '../../platform/ui/pages.tsx';
import { buttonForm, field, hidden } from './fields.tsx';
import { type Channels, type IdentifierTexts, identifierTexts } from './identifier-texts.ts';
import { passkeyForm } from './passkey-form.tsx';
import { passkeyScriptPath } from './passkey-script.ts';
import type {
  CodeStep,
  DoneStep,
  IdentifierStep,
  Refusal,
  SecondFactorStep,
  Step,
} from './flow.ts';

export interface LoginPageOptions {
  /** Whether the company's identity provider is set up. */
  hasProvider: boolean;
  /** Which channels can send codes. */
  channels: Channels;
  /** Lifetime of a code, in minutes. */
  codeMinutes: number;
  /** The only origin where passkeys work; undefined if there is none. */
  passkeyOrigin: string | undefined;
  /** Addresses that may sign in without a proof: only in development. */
  bypass: readonly string[];
}

const notices = new Map([
  [
    'fresh',
    'For this you have to sign in again, because your last sign-in was more than five minutes ago.',
  ],
  [
    'second_factor',
    'For this you have to sign in with your second factor. Do that, then repeat it.',
  ],
  ['signed_out', 'You are signed out.'],
]);

const errorNotices = new Map([
  [
    'idp_refused',
    'Your company account did not sign you in: you cancelled, or it refused. Try again, or ' +
      'sign in another way.',
  ],
]);

const noticeOf = (name = ''): Html | undefined => {
  const error = errorNotices.get(name);
  if (error !== undefined)
    return (
      <p class="error" role="alert" safe>
        {error}
      </p>
    );
  const text = notices.get(name);
  return text === undefined ? undefined : (
    <p class="notice" role="status" safe>
      {text}
    </p>
  );
};

function errorText({ code, retryAfter }: Refusal): string {
  if (code === 'otp.rate_limited')
    return (
      `Too many codes were asked for. Wait ${waitText(retryAfter ?? 60)}, then ask for ` +
      'another one.'
    );
  if (code === 'otp.invalid')
    return 'This code is not right, or does not work any more. Enter the newest one.';
  if (code === 'passkey') return 'This passkey was not accepted. Try again, or use a code.';
  if (code === 'otp.budget')
    return 'No more codes can be sent today. Try again tomorrow, or sign in another way.';
  return 'This sign-in has expired. Begin again.';
}

const errorOf = (refusal: Refusal | undefined) =>
  refusal === undefined ? undefined : errorText(refusal);

function identifierForm(
  { identifier, next, refusal }: IdentifierStep,
  { label, hint, error }: IdentifierTexts,
): Html {
  const input = field({
    name: 'identifier',
    label,
    hint,
    error: refusal?.code === 'identifier' ? error : errorOf(refusal),
    value: identifier,
    attributes: { autocomplete: 'username', maxlength: '320' },
  });
  return (
    <form method="post" action="/login">
      {hidden({ next })}
      {input}
      <button>Send the code</button>
    </form>
  );
}

const noChannelText =
  'Nobody can sign in with a code: this service can send neither e-mail nor SMS yet. ' +
  'Whoever runs it has to set up one of them.';
const noChannel = (
  <p class="notice" role="status" safe>
    {noChannelText}
  </p>
);

function bypassLinks(addresses: readonly string[], next: string): Html | undefined {
  if (addresses.length === 0) return undefined;
  const links = addresses.map((address) => {
    const path = `/api/auth/dev/bypass/${encodeURIComponent(address)}`;
    const link = `${path}?next=${encodeURIComponent(next)}`;
    return (
      <li>
        <a href={link} rel="nofollow">
          Continue as {escapeHtml(address)}
        </a>
      </li>
    );
  });
  return (
    <>
      <h2>Development</h2>
      <p>
        No identity provider is set up, so this machine can sign in without a code. Any other
        address works in the same path.
      </p>
      <ul>{links}</ul>
    </>
  );
}

function identifierPage(
  step: IdentifierStep,
  { hasProvider, channels, bypass }: LoginPageOptions,
  notice: string | undefined,
): Page {
  const { next, refusal } = step;
  const texts = identifierTexts(channels);
  const start = `/api/auth/idp/start?next=${encodeURIComponent(next)}`;
  const company = (
    <p>
      <a href={start}>Continue with company account</a>
    </p>
  );
  const body = (
    <>
      {noticeOf(notice)}
      {texts === undefined ? noChannel : identifierForm(step, texts)}
      {hasProvider ? company : undefined}
      {bypassLinks(bypass, next)}
    </>
  );
  return {
    title: 'Sign in',
    description: 'Sign in to your account. There is no password.',
    isError: refusal !== undefined || errorNotices.has(notice ?? ''),
    body,
  };
}

function codePage(
  { identifier, to, verificationId, next, refusal }: CodeStep,
  { codeMinutes }: LoginPageOptions,
): Page {
  const carried = { identifier, verification_id: verificationId, next };
  const isResend = refusal !== undefined && refusal.code !== 'otp.invalid';
  const input = field({
    name: 'code',
    label: 'Code',
    hint: `Six digits. The code works once, for ${codeMinutes} minutes after it was sent.`,
    error: isResend ? undefined : errorOf(refusal),
    attributes: { autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: '20' },
  });
  const body = (
    <>
      <p>If {escapeHtml(to)} can be reached, a code is on its way there.</p>
      <form method="post" action="/login/code">
        {hidden(carried)}
        {input}
        <button>Sign in</button>
      </form>
      {isResend ? (
        <p class="error" role="alert">
          {escapeHtml(errorText(refusal))} The code before still works.
        </p>
      ) : undefined}
      {buttonForm('/login', 'Send another code', carried)}
      <p>
        <a href={`/login?next=${encodeURIComponent(next)}`}>Use another address</a>
      </p>
    </>
  );
  return { title: 'Enter the code', isError: refusal !== undefined, body };
}

const codeTexts = {
  app: {
    label: 'Code of your app, or a backup code',
    hint:
      'The six digits that your authenticator app shows now. Without it, one of your backup ' +
      'codes.',
  },
  backup: {
    label: 'Backup code',
    hint: 'One of the codes that you have kept for when your passkey is not at hand.',
  },
};

/** Whether the page of a step needs the passkey script. */
export const needsScript = (
  step: Step,
  { passkeyOrigin }: Pick<LoginPageOptions, 'passkeyOrigin'>,
): boolean =>
  step.at === 'second-factor' && step.methods.includes('passkey') && passkeyOrigin !== undefined;

/** The form for the second factor. */
export function secondFactorPage(
  step: SecondFactorStep,
  options: Pick<LoginPageOptions, 'passkeyOrigin'>,
): Page {
  const { mfaToken, methods, next, refusal } = step;
  const isPasskeyRefused = refusal?.code === 'passkey';
  const input = field({
    name: 'code',
    ...codeTexts[methods.includes('totp') ? 'app' : 'backup'],
    error: isPasskeyRefused ? undefined : errorOf(refusal),
    attributes: { autocomplete: 'one-time-code', maxlength: '64' },
  });
  const { passkeyOrigin } = options;
  const passkey =
    passkeyOrigin === undefined || !needsScript(step, options)
      ? undefined
      : passkeyForm({
          action: '/login/passkey',
          kind: 'get',
          options: '/api/auth/2fa/passkeys/challenge',
          origin: passkeyOrigin,
          button: 'Use your passkey',
          inputs: hidden({ mfa_token: mfaToken, next, credential: '' }),
          error: isPasskeyRefused ? errorOf(refusal) : undefined,
          without: 'To use your passkey you need JavaScript. A code works without.',
        });
  const body = (
    <>
      <form method="post" action="/login/second-factor">
        {hidden({ mfa_token: mfaToken, next })}
        {input}
        <button>Sign in</button>
      </form>
      {passkey}
      <p>
        <a href={`/login?next=${encodeURIComponent(next)}`}>Begin again</a>
      </p>
    </>
  );
  return {
    title: 'Second factor',
    isError: refusal !== undefined,
    script: passkey === undefined ? undefined : passkeyScriptPath,
    body,
  };
}

/** Returns the page of a step. `notice` selects the notice at the top. */
export function loginPage(
  step: Exclude<Step, DoneStep>,
  options: LoginPageOptions,
  notice?: string,
): Page {
  if (step.at === 'identifier') return identifierPage(step, options, notice);
  return step.at === 'code' ? codePage(step, options) : secondFactorPage(step, options);
}
