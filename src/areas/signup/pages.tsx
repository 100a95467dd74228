import { type Attributes, escapeHtml, type Html } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';

export const fields = [
  'email',
  'name',
  'company',
  'phone',
  'plan',
  'referral_code',
  'consent',
] as const;
export type FieldName = (typeof fields)[number];

/** Entered values that the form shows again. */
export type Shown = Partial<Record<FieldName, string>>;

/** Error messages by field. */
const messages: Readonly<Record<FieldName, string>> = {
  email: 'This is no e-mail address. One looks like name@example.com.',
  name: 'A name has at most 200 characters, on one line.',
  company: 'The name of a company has at most 200 characters, on one line.',
  phone:
    'A phone number has to start with a plus sign and its country code. One looks like +1 415 ' +
    '555 0132.',
  plan: 'There is no such plan.',
  referral_code: 'A referral code has at most 64 letters, digits, dots, dashes and underscores.',
  consent: 'Agree to this to sign up.',
};

const page = (title: string, body: Html, rest: Partial<SitePage> = {}): SitePage => ({
  title,
  styles: ['form.css'],
  body,
  ...rest,
});

interface Input {
  name: FieldName;
  label: string;
  hint: string;
  attributes: Attributes;
}

const inputs: readonly Input[] = [
  {
    name: 'email',
    label: 'E-mail address',
    hint: 'A message to confirm it is sent there.',
    attributes: { type: 'email', autocomplete: 'email', maxlength: '254', required: true },
  },
  {
    name: 'name',
    label: 'Name (optional)',
    hint: 'As you want to be called.',
    attributes: { type: 'text', autocomplete: 'name', maxlength: '200' },
  },
  {
    name: 'company',
    label: 'Company (optional)',
    hint: 'Where you work.',
    attributes: { type: 'text', autocomplete: 'organization', maxlength: '200' },
  },
  {
    name: 'phone',
    label: 'Phone number (optional)',
    hint: 'It starts with a plus sign and the country code, such as +1 415 555 0132.',
    attributes: { type: 'tel', autocomplete: 'tel', maxlength: '40' },
  },
  {
    name: 'referral_code',
    label: 'Referral code (optional)',
    hint: 'If somebody gave you one.',
    attributes: {
      type: 'text',
      autocomplete: 'off',
      maxlength: '64',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  },
];

const isWrong = (wrong: readonly FieldName[], name: FieldName): boolean => wrong.includes(name);
const errorOf = (wrong: readonly FieldName[], name: FieldName): Html | undefined =>
  isWrong(wrong, name) ? (
    <p class="error" id={`${name}-error`} safe>
      {messages[name]}
    </p>
  ) : undefined;
const marks = (wrong: readonly FieldName[], name: FieldName): Attributes =>
  isWrong(wrong, name)
    ? { 'aria-describedby': `${name}-error ${name}-hint`, 'aria-invalid': 'true' }
    : { 'aria-describedby': `${name}-hint` };

const input =
  (shown: Shown, wrong: readonly FieldName[]) =>
  ({ name, label, hint, attributes }: Input): Html => (
    <>
      <label for={name} safe>
        {label}
      </label>
      <p class="hint" id={`${name}-hint`} safe>
        {hint}
      </p>
      {errorOf(wrong, name)}
      <input
        id={name}
        name={name}
        value={shown[name] ?? ''}
        {...attributes}
        {...marks(wrong, name)}
      />
    </>
  );

function planLine({ plan = '' }: Shown, wrong: readonly FieldName[]): Html | undefined {
  if (plan === '') return undefined;
  return isWrong(wrong, 'plan') ? (
    <p class="error">{escapeHtml(messages.plan)} It was left out.</p>
  ) : (
    <>
      <p class="hint plan">For the plan “{escapeHtml(plan)}”.</p>
      <input type="hidden" name="plan" value={plan} />
    </>
  );
}

function consentBox(shown: Shown, wrong: readonly FieldName[]): Html {
  const checked = shown.consent === 'true' ? { checked: true } : undefined;
  const invalid = isWrong(wrong, 'consent')
    ? { 'aria-describedby': 'consent-error', 'aria-invalid': 'true' }
    : undefined;
  return (
    <input
      id="consent"
      name="consent"
      type="checkbox"
      value="true"
      required
      {...checked}
      {...invalid}
    />
  );
}

function form(shown: Shown, wrong: readonly FieldName[]): Html {
  return (
    <>
      <form class="form" method="post" action="/signup">
        {inputs.map(input(shown, wrong))}
        {planLine(shown, wrong)}
        <div class="check">
          {errorOf(wrong, 'consent')}
          {consentBox(shown, wrong)}
          <label for="consent">
            I agree to the <a href="/terms">terms</a>, and have read what happens to my data:{' '}
            <a href="/privacy">privacy</a>.
          </label>
        </div>
        <div class="trap" aria-hidden="true">
          <label for="website">Leave this empty</label>
          <input id="website" name="website" type="text" tabindex="-1" autocomplete="off" />
        </div>
        <button type="submit">Sign up</button>
      </form>
      <p>
        Signed up already? <a href="/login">Sign in</a>.
      </p>
    </>
  );
}

const about: Pick<SitePage, 'path' | 'description'> = {
  path: '/signup',
  description:
    'Sign up with your e-mail address. You confirm it by a link, and sign in by a code: there is ' +
    'no password.',
};

/** The form. */
export const signupPage = (shown: Shown): SitePage =>
  page(
    'Sign up',
    <>
      <p class="lead">
        You confirm your address by a link, and sign in by a code. There is no password.
      </p>
      {form(shown, [])}
    </>,
    about,
  );

/** Shown when no e-mail can be sent, because then no address can be confirmed. */
export const closedPage: SitePage = page(
  'Sign up',
  <>
    <p class="notice">
      Nobody can sign up here at the moment: this service sends no e-mail, so that an address can
      not be confirmed.
    </p>
    <p>
      Ask whoever runs it for access. Who has access already can <a href="/login">sign in</a>.
    </p>
  </>,
  about,
);

/** The form again, with its errors. */
export const signupAgainPage = (shown: Shown, wrong: readonly FieldName[]): SitePage =>
  page('Sign up', form(shown, wrong), { isError: true });

/** Does not reveal whether the address is known. */
export const askedPage: SitePage = page(
  'Look into your mailbox',
  <>
    <p>
      If this address has not signed up yet, a message is on its way to it. Follow the link in it
      within 24 hours; before that nothing counts.
    </p>
    <p>
      Nothing there after a few minutes? Look into the folder for spam, or sign up again in ten
      minutes. Signed up already? <a href="/login">Sign in</a>.
    </p>
  </>,
);

/** Asks before confirming, because mail scanners follow links but press no buttons. */
export const confirmPage = (token: string): SitePage =>
  page(
    'Confirm your address',
    <>
      <p>Sign up with the address that this link was sent to?</p>
      <form class="form" method="post" action="/signup/confirm">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Yes, sign up</button>
      </form>
    </>,
  );

export const confirmedPage: SitePage = page(
  'You are signed up',
  <>
    <p>Your address is confirmed. To sign in, enter it on the next page: a code is sent to it.</p>
    <p class="actions">
      <a class="button" href="/login">
        Sign in
      </a>
    </p>
  </>,
);
