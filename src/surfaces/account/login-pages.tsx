import type { BrandReader } from '../../platform/brand/brand.ts';
import { mailtoUrl } from '../../lib/net/mailto.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { formatWait } from '../../platform/i18n/durations.ts';
import { type Page } from '../../platform/ui/pages.tsx';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Button, type ButtonOptions } from '../../platform/ui/components/button.tsx';
import { Disclosure } from '../../platform/ui/components/overlay.tsx';
import { Form } from '../../platform/ui/components/form.tsx';
import { buttonForm, EntryField, notice as noticeBar } from './fields.tsx';
import { footerLinks, footerLinksWithSignup } from './footer.ts';
import { type Channels, type IdentifierTexts, identifierTexts } from './identifier-texts.ts';
import { passkeyForm } from './passkey-form.tsx';
import type {
  CodeStep,
  DoneStep,
  IdentifierStep,
  Refusal,
  SecondFactorStep,
  Step,
} from './flow.ts';
import { texts } from './texts/en.ts';

export interface LoginPageOptions {
  brand: BrandReader;
  /** Whether people can sign up. */
  hasSignup: () => boolean;
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
  ['fresh', texts.signInNotices.fresh],
  ['second_factor', texts.signInNotices.secondFactor],
  ['signed_out', texts.signInNotices.signedOut],
]);

const errorNotices = new Map([['idp_refused', texts.signInNotices.idpRefused]]);

const noticeOf = (name = ''): Html | undefined => {
  const error = errorNotices.get(name);
  if (error !== undefined) return <Banner text={error} tone="bad" role="alert" />;
  return noticeBar(notices.get(name));
};

function errorText({ code, retryAfter }: Refusal): string {
  const { rateLimited, code: wrongCode, noCode, passkey, budget, expired } = texts.refusals;
  if (code === 'code') return noCode;
  if (code === 'otp.rate_limited') return rateLimited({ wait: formatWait(retryAfter ?? 60) });
  if (code === 'otp.invalid') return wrongCode;
  if (code === 'passkey') return passkey;
  return code === 'otp.budget' ? budget : expired;
}

/** The button of a step, as wide as its field. */
const wide = (label: string): ButtonOptions => ({ label, size: 'large' });

const errorOf = (refusal: Refusal | undefined) =>
  refusal === undefined ? undefined : errorText(refusal);

function identifierForm(
  { identifier, next, refusal }: IdentifierStep,
  { label, hint, error }: IdentifierTexts,
): Html {
  return (
    <Form action="/login" values={{ next }} submit={wide(texts.signIn.sendCode)}>
      <EntryField
        name="identifier"
        label={label}
        hint={hint}
        error={refusal?.code === 'identifier' ? error : errorOf(refusal)}
        value={identifier}
        maxLength={320}
        attributes={{ autocomplete: 'username' }}
      />
    </Form>
  );
}

const noChannel = <Banner text={texts.signIn.noChannel} tone="warn" role="status" />;

function bypassLinks(addresses: readonly string[], next: string): Html | undefined {
  if (addresses.length === 0) return undefined;
  const links = addresses.map((address) => {
    const path = `/api/auth/dev/bypass/${encodeURIComponent(address)}`;
    const link = `${path}?next=${encodeURIComponent(next)}`;
    return (
      <li>
        <a href={link} rel="nofollow" safe>
          {texts.development.continueAs({ address })}
        </a>
      </li>
    );
  });
  return (
    <aside class="aside" aria-labelledby="development">
      <h2 id="development" safe>
        {texts.development.title}
      </h2>
      <p safe>{texts.development.text}</p>
      <ul>{links}</ul>
      <p class="hint" safe>
        {texts.development.others}
      </p>
    </aside>
  );
}

function identifierPage(
  step: IdentifierStep,
  { brand, hasSignup, hasProvider, channels, bypass }: LoginPageOptions,
  notice: string | undefined,
): Page {
  const { next, refusal } = step;
  const { signIn } = texts;
  const fieldTexts = identifierTexts(channels);
  const start = `/api/auth/idp/start?next=${encodeURIComponent(next)}`;
  const company = (
    <p class="other-way">
      <Button label={signIn.company} icon="building" href={start} size="large" />
    </p>
  );
  const body = (
    <>
      {noticeOf(notice)}
      {fieldTexts === undefined ? noChannel : identifierForm(step, fieldTexts)}
      {hasProvider ? company : undefined}
      {bypassLinks(bypass, next)}
    </>
  );
  return {
    title: signIn.title,
    heading: <h1 safe>{signIn.heading({ app: brand().name })}</h1>,
    description: signIn.description,
    footer: hasSignup() ? footerLinksWithSignup : footerLinks,
    isError: refusal !== undefined || errorNotices.has(notice ?? ''),
    body,
  };
}

function codePage(
  { identifier, to, verificationId, next, purpose, refusal }: CodeStep,
  { codeMinutes, channels }: LoginPageOptions,
): Page {
  const { code: codeTexts } = texts;
  const isSignUp = purpose === 'sign-up';
  const carried = { identifier, verification_id: verificationId, next, purpose };
  const isResend = refusal !== undefined && !['otp.invalid', 'code'].includes(refusal.code);
  const change = identifierTexts(channels) ?? texts.identifier.both;
  const body = (
    <>
      <p>
        {rich(codeTexts.sent, { to: () => <strong safe>{to}</strong> })}{' '}
        <a href={isSignUp ? '/signup' : `/login?next=${encodeURIComponent(next)}`} safe>
          {isSignUp ? codeTexts.otherAddress : change.change}
        </a>
      </p>
      <Form
        action="/login/code"
        values={carried}
        submit={wide(isSignUp ? codeTexts.signUp : codeTexts.signIn)}
      >
        <EntryField
          name="code"
          label={codeTexts.label}
          hint={codeTexts.hint({ minutes: codeMinutes })}
          error={isResend ? undefined : errorOf(refusal)}
          maxLength={20}
          attributes={{
            class: 'control control-code',
            autocomplete: 'one-time-code',
            inputmode: 'numeric',
          }}
        />
      </Form>
      {isResend ? (
        <Banner text={`${errorText(refusal)} ${codeTexts.stillWorks}`} tone="bad" role="alert" />
      ) : undefined}
      <div class="no-code">
        <p class="hint" safe>
          {codeTexts.noCode}
        </p>
        {buttonForm('/login', codeTexts.resend, { values: carried, isQuiet: true })}
      </div>
    </>
  );
  return { title: codeTexts.title, isError: refusal !== undefined, body };
}

/** Whether the page of a step needs the passkey script. */
export const needsScript = (
  step: Step,
  { passkeyOrigin }: Pick<LoginPageOptions, 'passkeyOrigin'>,
): boolean =>
  step.at === 'second-factor' && step.methods.includes('passkey') && passkeyOrigin !== undefined;

/** Whom to ask for help after losing every factor. */
function lostHelp({ brand }: Pick<LoginPageOptions, 'brand'>): Html {
  const { contactEmail } = brand();
  const { lost, lostHelp: text, askAdmin, askContact } = texts.secondFactor;
  const contact = () => (
    <a href={mailtoUrl(contactEmail ?? '')} safe>
      {contactEmail ?? ''}
    </a>
  );
  return (
    <Disclosure summary={lost}>
      <p>
        {escapeHtml(text)}{' '}
        {contactEmail === undefined ? escapeHtml(askAdmin) : rich(askContact, { contact })}
      </p>
    </Disclosure>
  );
}

/** The form for the second factor. */
export function secondFactorPage(
  step: SecondFactorStep,
  options: Pick<LoginPageOptions, 'passkeyOrigin' | 'brand'>,
): Page {
  const { mfaToken, methods, next, refusal } = step;
  const { secondFactor } = texts;
  const isPasskeyRefused = refusal?.code === 'passkey';
  const { passkeyOrigin } = options;
  const passkey =
    passkeyOrigin === undefined || !needsScript(step, options)
      ? undefined
      : passkeyForm({
          action: '/login/passkey',
          kind: 'get',
          options: '/api/auth/2fa/passkeys/challenge',
          origin: passkeyOrigin,
          button: secondFactor.usePasskey,
          values: { mfa_token: mfaToken, next, credential: '' },
          error: isPasskeyRefused ? errorOf(refusal) : undefined,
          without: secondFactor.withoutScript,
        });
  const body = (
    <>
      <Form
        action="/login/second-factor"
        values={{ mfa_token: mfaToken, next }}
        submit={wide(secondFactor.signIn)}
      >
        <EntryField
          name="code"
          {...(methods.includes('totp') ? secondFactor.app : secondFactor.backup)}
          error={isPasskeyRefused ? undefined : errorOf(refusal)}
          maxLength={64}
          attributes={{ class: 'control control-code', autocomplete: 'one-time-code' }}
        />
      </Form>
      {passkey}
      <p>
        <a href={`/login?next=${encodeURIComponent(next)}`} safe>
          {secondFactor.restart}
        </a>
      </p>
      {lostHelp(options)}
    </>
  );
  return {
    title: secondFactor.title,
    isError: refusal !== undefined,
    script: passkey === undefined ? undefined : 'passkeys.js',
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
