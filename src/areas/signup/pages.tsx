import type { Html } from '../../lib/text/html.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import {
  CheckField,
  Field,
  Form,
  Honeypot,
  type InputOptions,
} from '../../platform/ui/components/form.tsx';
import { NextSteps } from '../../platform/ui/components/next-steps.tsx';
import { accountPath } from '../../lib/site-paths.ts';
import { linkTo } from '../../platform/ui/link-to.tsx';
import { rich } from '../../lib/text/rich.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
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
  isCentered: true,
  title,
  body,
  ...rest,
});

interface Input extends Pick<InputOptions, 'type' | 'maxLength' | 'isRequired' | 'attributes'> {
  name: FieldName;
  label: string;
  hint?: string;
}

const inputs: readonly Input[] = [
  {
    name: 'email',
    label: texts.fields.email,
    type: 'email',
    maxLength: 254,
    isRequired: true,
    attributes: { autocomplete: 'email' },
  },
  {
    name: 'name',
    label: texts.fields.name,
    hint: texts.fields.nameHint,
    type: 'text',
    maxLength: 200,
    attributes: { autocomplete: 'name' },
  },
  {
    name: 'company',
    label: texts.fields.company,
    hint: texts.fields.companyHint,
    type: 'text',
    maxLength: 200,
    attributes: { autocomplete: 'organization' },
  },
  {
    name: 'phone',
    label: texts.fields.phone,
    hint: texts.fields.phoneHint,
    type: 'tel',
    maxLength: 40,
    attributes: { autocomplete: 'tel' },
  },
  {
    name: 'referral_code',
    label: texts.fields.referralCode,
    hint: texts.fields.referralCodeHint,
    maxLength: 64,
    attributes: { autocapitalize: 'none', spellcheck: 'false' },
  },
];

const isWrong = (wrong: readonly FieldName[], name: FieldName): boolean => wrong.includes(name);
const errorOf = (wrong: readonly FieldName[], name: FieldName): string | undefined =>
  isWrong(wrong, name) ? messages[name] : undefined;

const input =
  (shown: Shown, wrong: readonly FieldName[]) =>
  ({ name, ...field }: Input): Html => (
    <Field id={name} {...field} value={shown[name]} error={errorOf(wrong, name)} />
  );

/** The names of plans by id; undefined for plans that are not offered. */
type Plans = Pick<PlanCatalog, 'nameOf'>;

function planLine({ plan = '' }: Shown, plans: Plans): Html | undefined {
  if (plan === '') return undefined;
  const name = plans.nameOf(plan);
  return name === undefined ? (
    <Banner text={texts.signUp.planRemoved} tone="warn" />
  ) : (
    <>
      <p class="hint" safe>
        {texts.signUp.plan({ plan: name })}
      </p>
      <input type="hidden" name="plan" value={plan} />
    </>
  );
}

const signInLink = linkTo('/login');
const consentLinks = { terms: linkTo('/terms'), privacy: linkTo('/privacy') };

function form(shown: Shown, plans: Plans, wrong: readonly FieldName[] = []): Html {
  const { signUp } = texts;
  return (
    <>
      <Form action="/signup" submit={{ label: signUp.submit, size: 'large' }}>
        {inputs.map(input(shown, wrong))}
        {planLine(shown, plans)}
        <CheckField
          id="consent"
          label=""
          content={rich(signUp.consent, consentLinks)}
          isChecked={shown.consent === 'true'}
          error={errorOf(wrong, 'consent')}
          attributes={{ required: true }}
        />
        <Honeypot label={signUp.trap} />
      </Form>
      <p>{rich(signUp.haveAccount, { link: signInLink })}</p>
    </>
  );
}

const about: Pick<SitePage, 'path' | 'description'> = {
  path: '/signup',
  description: texts.signUp.description,
};

/**
 * One field: the code that it asks for signs people in, and creates the account of those who have
 * none.
 */
export const startPage: SitePage = page(
  texts.signUp.title,
  <>
    <p class="lead" safe>
      {texts.start.lead}
    </p>
    <Form
      action="/login"
      values={{ next: accountPath, purpose: 'sign-up' }}
      submit={{ label: texts.start.submit, size: 'large' }}
    >
      <Field
        id="identifier"
        type="email"
        label={texts.fields.email}
        maxLength={254}
        isRequired
        attributes={{ autocomplete: 'email' }}
      />
    </Form>
    <p class="hint">{rich(texts.start.terms, consentLinks)}</p>
    <p>{rich(texts.signUp.haveAccount, { link: signInLink })}</p>
    <NextSteps {...texts.start.next} />
  </>,
  { ...about, heading: <h1 safe>{texts.start.title}</h1> },
);

/** The form. With `isWaitlist` it says that people have to wait. */
export const signupPage = (shown: Shown, plans: Plans, isWaitlist: boolean): SitePage =>
  page(
    texts.signUp.title,
    <>
      {isWaitlist && <Banner text={texts.signUp.waitlist} tone="info" />}
      <p class="lead" safe>
        {texts.signUp.lead}
      </p>
      {form(shown, plans)}
    </>,
    about,
  );

/** Shown when nobody can sign up: by invitation only, or because no email can be sent. */
export function closedPage(isByInvitation: boolean): SitePage {
  const { text, ask } = isByInvitation ? texts.byInvitation : texts.closed;
  const body = (
    <>
      <Banner text={text} tone="warn" />
      <p>{rich(ask, { link: signInLink })}</p>
    </>
  );
  return page(texts.signUp.title, body, about);
}

/** The form again, with its errors. */
export const signupAgainPage = (
  shown: Shown,
  { wrong, plans }: { wrong: readonly FieldName[]; plans: Plans },
): SitePage => page(texts.signUp.title, form(shown, plans, wrong), { isError: true });

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
      <Form
        action="/signup/confirm"
        values={{ token }}
        submit={{ label: texts.confirm.submit, size: 'large' }}
      />
    </>,
  );

export const confirmedPage: SitePage = page(
  texts.confirmed.title,
  <>
    <p safe>{texts.confirmed.text}</p>
    <Button label={texts.confirmed.signIn} kind="primary" size="large" href="/login" />
  </>,
);
