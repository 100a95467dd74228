import { type Attributes, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { texts } from './texts/en.ts';

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
  email: texts.errors.email,
  name: texts.errors.name,
  company: texts.errors.company,
  phone: texts.errors.phone,
  plan: texts.errors.plan,
  referral_code: texts.errors.referralCode,
  consent: texts.errors.consent,
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
    label: texts.fields.email,
    hint: texts.fields.emailHint,
    attributes: { type: 'email', autocomplete: 'email', maxlength: '254', required: true },
  },
  {
    name: 'name',
    label: texts.fields.name,
    hint: texts.fields.nameHint,
    attributes: { type: 'text', autocomplete: 'name', maxlength: '200' },
  },
  {
    name: 'company',
    label: texts.fields.company,
    hint: texts.fields.companyHint,
    attributes: { type: 'text', autocomplete: 'organization', maxlength: '200' },
  },
  {
    name: 'phone',
    label: texts.fields.phone,
    hint: texts.fields.phoneHint,
    attributes: { type: 'tel', autocomplete: 'tel', maxlength: '40' },
  },
  {
    name: 'referral_code',
    label: texts.fields.referralCode,
    hint: texts.fields.referralCodeHint,
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
    <p class="error" safe>
      {texts.signUp.planRemoved}
    </p>
  ) : (
    <>
      <p class="hint plan" safe>
        {texts.signUp.plan({ plan })}
      </p>
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

const linkTo =
  (href: string) =>
  (inner: Html): Html => <a href={href}>{inner}</a>;
const signInLink = linkTo('/login');
const consentLinks = { terms: linkTo('/terms'), privacy: linkTo('/privacy') };

function form(shown: Shown, wrong: readonly FieldName[]): Html {
  const { signUp } = texts;
  return (
    <>
      <form class="form" method="post" action="/signup">
        {inputs.map(input(shown, wrong))}
        {planLine(shown, wrong)}
        <div class="check">
          {errorOf(wrong, 'consent')}
          {consentBox(shown, wrong)}
          <label for="consent">{rich(signUp.consent, consentLinks)}</label>
        </div>
        <div class="trap" aria-hidden="true">
          <label for="website" safe>
            {signUp.trap}
          </label>
          <input id="website" name="website" type="text" tabindex="-1" autocomplete="off" />
        </div>
        <button type="submit" safe>
          {signUp.submit}
        </button>
      </form>
      <p>{rich(signUp.haveAccount, { link: signInLink })}</p>
    </>
  );
}

const about: Pick<SitePage, 'path' | 'description'> = {
  path: '/signup',
  description: texts.signUp.description,
};

/** The form. */
export const signupPage = (shown: Shown): SitePage =>
  page(
    texts.signUp.title,
    <>
      <p class="lead" safe>
        {texts.signUp.lead}
      </p>
      {form(shown, [])}
    </>,
    about,
  );

/** Shown when no e-mail can be sent, because then no address can be confirmed. */
export const closedPage: SitePage = page(
  texts.signUp.title,
  <>
    <p class="notice" safe>
      {texts.closed.text}
    </p>
    <p>{rich(texts.closed.ask, { link: signInLink })}</p>
  </>,
  about,
);

/** The form again, with its errors. */
export const signupAgainPage = (shown: Shown, wrong: readonly FieldName[]): SitePage =>
  page(texts.signUp.title, form(shown, wrong), { isError: true });

/** Does not reveal whether the address is known. */
export const askedPage: SitePage = page(
  texts.asked.title,
  <>
    <p safe>{texts.asked.text}</p>
    <p>{rich(texts.asked.noMessage, { link: signInLink })}</p>
  </>,
);

/** Asks before confirming, because mail scanners follow links but press no buttons. */
export const confirmPage = (token: string): SitePage =>
  page(
    texts.confirm.title,
    <>
      <p safe>{texts.confirm.text}</p>
      <form class="form" method="post" action="/signup/confirm">
        <input type="hidden" name="token" value={token} />
        <button type="submit" safe>
          {texts.confirm.submit}
        </button>
      </form>
    </>,
  );

export const confirmedPage: SitePage = page(
  texts.confirmed.title,
  <>
    <p safe>{texts.confirmed.text}</p>
    <p class="actions">
      <a class="button" href="/login" safe>
        {texts.confirmed.signIn}
      </a>
    </p>
  </>,
);
