import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { Brand } from '../../platform/brand/brand.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import {
  Field,
  Form,
  Honeypot,
  SelectField,
  TextField,
} from '../../platform/ui/components/form.tsx';
import { linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { maxLengths } from './schemas.ts';
import { texts } from './texts/en.ts';

export const fields = ['name', 'email', 'topic', 'subject', 'message'] as const;
type FieldName = (typeof fields)[number];

/** Entered values that the form shows again. */
export type Shown = Partial<Record<FieldName, string>>;

export interface ContactForm {
  shown: Shown;
  /** When the form was loaded, signed. */
  time: string;
  /** Fields with errors. */
  wrong?: readonly FieldName[];
  /** Why the message was refused. */
  refused?: string | undefined;
}

/** Whom people write to. */
export type Owner = Pick<Brand, 'contactEmail' | 'legalName' | 'legalAddress'>;

export const contactPath = '/contact';

const topics = [
  'question',
  'problem',
  'sales',
  'billing',
  'security',
  'privacy',
  'other',
] as const satisfies readonly (keyof typeof texts.topics)[];

const about: Pick<SitePage, 'path' | 'description'> = {
  path: contactPath,
  description: texts.form.description,
};

function inputs({ shown, wrong = [] }: ContactForm): Html {
  const errorOf = (name: FieldName) => (wrong.includes(name) ? texts.errors[name] : undefined);
  const valueOf = (name: FieldName) => ({ value: shown[name], error: errorOf(name) });
  return (
    <>
      <Field
        id="name"
        label={texts.fields.name}
        maxLength={maxLengths.name}
        isRequired
        attributes={{ autocomplete: 'name' }}
        {...valueOf('name')}
      />
      <Field
        id="email"
        type="email"
        label={texts.fields.email}
        hint={texts.fields.emailHint}
        maxLength={maxLengths.email}
        isRequired
        attributes={{ autocomplete: 'email' }}
        {...valueOf('email')}
      />
      <SelectField
        id="topic"
        label={texts.fields.topic}
        options={[
          ['', texts.topics.none],
          ...topics.map((each) => [each, texts.topics[each]] as const),
        ]}
        {...valueOf('topic')}
      />
      <Field
        id="subject"
        label={texts.fields.subject}
        maxLength={maxLengths.subject}
        {...valueOf('subject')}
      />
      <TextField
        id="message"
        label={texts.fields.message}
        hint={texts.fields.messageHint({ max: maxLengths.message })}
        rows={8}
        maxLength={maxLengths.message}
        isRequired
        {...valueOf('message')}
      />
    </>
  );
}

const form = (view: ContactForm): Html => (
  <>
    {view.refused !== undefined && <Banner text={view.refused} tone="bad" role="alert" />}
    <Form
      action={contactPath}
      values={{ form: view.time }}
      submit={{ label: texts.form.submit, size: 'large' }}
      attributes={{ 'data-proof': '/api/v1/contact/challenge' }}
    >
      {inputs(view)}
      <Honeypot label={texts.form.trap} />
      <input type="hidden" name="altcha" value="" />
      <p class="hint">{rich(texts.form.privacy, { link: linkTo('/privacy') })}</p>
      <noscript>
        <p class="hint" safe>
          {texts.form.withoutScript}
        </p>
      </noscript>
      <p class="hint" role="status" data-progress hidden></p>
    </Form>
    <p class="hint">{escapeHtml(texts.form.proof)}</p>
  </>
);

/** How else to reach the owner, and what helps before writing. */
function otherWays({ contactEmail, legalName, legalAddress }: Owner): Html {
  const { ways } = texts;
  const mail = () => <a href={`mailto:${contactEmail ?? ''}`}>{escapeHtml(contactEmail ?? '')}</a>;
  return (
    <aside class="ways" aria-label={ways.label}>
      {contactEmail !== undefined && (
        <section>
          <h2 safe>{ways.email}</h2>
          <p>{mail()}</p>
        </section>
      )}
      <section>
        <h2 safe>{ways.status}</h2>
        <p>{rich(ways.statusText, { link: linkTo('/status') })}</p>
      </section>
      <section>
        <h2 safe>{ways.guides}</h2>
        <p>{rich(ways.guidesText, { link: linkTo('/developer/') })}</p>
      </section>
      {legalAddress !== undefined && (
        <section>
          <h2 safe>{ways.post}</h2>
          <p>
            {escapeHtml(legalName)}
            <br />
            {escapeHtml(legalAddress)}
          </p>
        </section>
      )}
    </aside>
  );
}

const columns = (view: ContactForm, owner: Owner): Html => (
  <div class="columns">
    <div>{form(view)}</div>
    {otherWays(owner)}
  </div>
);

/** The form. */
export const contactPage = (view: ContactForm, owner: Owner): SitePage => ({
  title: texts.form.title,
  isWide: true,
  script: 'contact.js',
  ...about,
  body: (
    <>
      <p class="lead" safe>
        {texts.form.lead}
      </p>
      {columns(view, owner)}
    </>
  ),
});

/** The form again, with what is wrong. */
export const contactAgainPage = (view: ContactForm, owner: Owner): SitePage => ({
  isWide: true,
  title: texts.form.title,
  script: 'contact.js',
  isError: true,
  body: columns(view, owner),
});

/** The same for every message, also for spam. */
export const sentPage: SitePage = {
  title: texts.sent.title,
  body: (
    <>
      <p safe>{texts.sent.text}</p>
      <Button label={texts.sent.home} href="/" />
    </>
  ),
};
