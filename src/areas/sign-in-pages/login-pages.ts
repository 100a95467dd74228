import { html, type Html } from '../../lib/html.ts';
import { type Page, waitText } from '../../platform/pages.ts';
import { buttonForm, field, hidden } from './fields.ts';
import type { CodeStep, DoneStep, IdentifierStep, Refusal, SecondFactorStep, Step } from './flow.ts';

export interface LoginPageOptions {
  /** Whether the company's identity provider is set up. */
  hasProvider: boolean;
  /** How long a code works. */
  codeMinutes: number;
}

const notices: Partial<Record<string, string>> = {
  fresh: 'For this you have to sign in again, because your last sign-in was more than five minutes ago.',
  second_factor: 'For this you have to sign in with your second factor. Do that, then repeat it.',
  signed_out: 'You are signed out.',
};

const noticeOf = (name: string | undefined): Html | undefined => {
  const text = name === undefined ? undefined : notices[name];
  return text === undefined ? undefined : html`<p class="notice" role="status">${text}</p>`;
};

function errorText({ code, retryAfter }: Refusal): string {
  if (code === 'identifier') return 'Enter an e-mail address, such as name@example.com, or a phone number with its country code, such as +1 415 555 0132.';
  if (code === 'otp.rate_limited') return `Too many codes were asked for. Wait ${waitText(retryAfter ?? 60)}, then ask for another one.`;
  if (code === 'otp.invalid') return 'This code is not right, or does not work any more. Enter the newest one.';
  if (code === 'otp.budget') return 'No more codes can be sent today. Try again tomorrow, or sign in another way.';
  return 'This sign-in has expired. Begin again.';
}

const errorOf = (refusal: Refusal | undefined) => (refusal === undefined ? undefined : errorText(refusal));

function identifierPage({ identifier, next, refusal }: IdentifierStep, { hasProvider }: LoginPageOptions, notice: string | undefined): Page {
  const input = field({
    name: 'identifier', label: 'E-mail address or phone number', hint: 'We send you a code. A number needs its country code, such as +1 415 555 0132.',
    error: errorOf(refusal), value: identifier, attributes: html`autocomplete="username" maxlength="320"`,
  });
  const company = html`<p><a href="/api/auth/idp/start?next=${encodeURIComponent(next)}">Continue with company account</a></p>`;
  const body = html`${noticeOf(notice)}
<form method="post" action="/login">
${hidden({ next })}
${input}
<button>Send the code</button>
</form>
${hasProvider ? company : undefined}`;
  return { title: 'Sign in', isError: refusal !== undefined, body };
}

function codePage({ identifier, to, verificationId, next, refusal }: CodeStep, { codeMinutes }: LoginPageOptions): Page {
  const carried = { identifier, verification_id: verificationId, next };
  const isResend = refusal !== undefined && refusal.code !== 'otp.invalid';
  const input = field({
    name: 'code', label: 'Code', hint: `Six digits. The code works once, for ${codeMinutes} minutes after it was sent.`, error: isResend ? undefined : errorOf(refusal),
    attributes: html`autocomplete="one-time-code" inputmode="numeric" maxlength="20"`,
  });
  const body = html`<p>If ${to} can be reached, a code is on its way there.</p>
<form method="post" action="/login/code">
${hidden(carried)}
${input}
<button>Sign in</button>
</form>
${isResend ? html`<p class="error" role="alert">${errorText(refusal)} The code before still works.</p>` : undefined}
${buttonForm('/login', 'Send another code', carried)}
<p><a href="/login?next=${encodeURIComponent(next)}">Use another address</a></p>`;
  return { title: 'Enter the code', isError: refusal !== undefined, body };
}

function secondFactorPage({ mfaToken, next, refusal }: SecondFactorStep): Page {
  const input = field({
    name: 'code', label: 'Code of your app, or a backup code', hint: 'The six digits that your authenticator app shows now. Without it, one of your backup codes.', error: errorOf(refusal),
    attributes: html`autocomplete="one-time-code" maxlength="64"`,
  });
  const body = html`<form method="post" action="/login/second-factor">
${hidden({ mfa_token: mfaToken, next })}
${input}
<button>Sign in</button>
</form>
<p><a href="/login?next=${encodeURIComponent(next)}">Begin again</a></p>`;
  return { title: 'Second factor', isError: refusal !== undefined, body };
}

/** The page of a step. `notice` names a sentence that is said first. */
export function loginPage(step: Exclude<Step, DoneStep>, options: LoginPageOptions, notice?: string): Page {
  if (step.at === 'identifier') return identifierPage(step, options, notice);
  return step.at === 'code' ? codePage(step, options) : secondFactorPage(step);
}
