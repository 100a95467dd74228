import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { CheckField, Field, Form, Honeypot } from '../../platform/ui/components/form.tsx';
import { NextSteps } from '../../platform/ui/components/next-steps.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import { linkTo } from '../../platform/ui/link-to.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { OwnEntryView } from './schemas.ts';
import { texts } from './texts/en.ts';

const query = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(values).toString().replaceAll('+', '%20');

export const fields = ['email', 'name', 'referral_code', 'consent'] as const;
export type FieldName = (typeof fields)[number];

/** Entered values that the form shows again. */
export type Shown = Partial<Record<FieldName, string>>;

function form(shown: Shown, wrong: readonly FieldName[]): Html {
  const { join, errors } = texts;
  const code = shown.referral_code ?? '';
  const errorOf = (name: 'email' | 'consent') => (wrong.includes(name) ? errors[name] : undefined);
  return (
    <Form
      action="/waitlist"
      values={{ referral_code: code === '' ? undefined : code }}
      submit={{ label: join.submit, size: 'large' }}
    >
      {code !== '' && (
        <p class="hint" safe>
          {join.referred}
        </p>
      )}
      <Field
        id="email"
        label={texts.fields.email}
        type="email"
        maxLength={254}
        isRequired
        value={shown.email}
        error={errorOf('email')}
        attributes={{ autocomplete: 'email' }}
      />
      <CheckField
        id="consent"
        label=""
        content={rich(join.consent, { privacy: linkTo('/privacy') })}
        isChecked={shown.consent === 'true'}
        error={errorOf('consent')}
        attributes={{ required: true }}
      />
      <Honeypot label={join.trap} />
    </Form>
  );
}

const about: Pick<Page, 'path' | 'description'> = {
  path: '/waitlist',
  description: texts.join.description,
};

/** The form. `total`: how many wait; null keeps it private. */
export const joinPage = (shown: Shown, total: number | null): Page => ({
  ...about,
  title: texts.join.title,
  body: (
    <>
      <p safe>{texts.join.lead}</p>
      {form(shown, [])}
      {total !== null && total > 0 && (
        <p class="waiting">
          <Icon name="users" />
          {escapeHtml(texts.join.waiting({ total }))}
        </p>
      )}
      <NextSteps {...texts.join.next} />
    </>
  ),
});

/** Shown when no email can be sent, because then no address can be verified. */
export const closedPage: Page = {
  ...about,
  title: texts.join.title,
  body: <Banner text={texts.closed.text} tone="warn" />,
};

/** The form again, with its errors. */
export const joinAgainPage = (shown: Shown, wrong: readonly FieldName[]): Page => ({
  title: texts.join.title,
  isError: true,
  body: form(shown, wrong),
});

/** Does not reveal whether the address is known. */
export const askedPage: Page = {
  title: texts.asked.title,
  body: (
    <>
      <p safe>{texts.asked.text}</p>
      <p safe>{texts.asked.noMessage}</p>
    </>
  ),
};

/** A page with a button, because mail scanners follow links but press no buttons. */
const buttonPage = (
  words: typeof texts.verify | typeof texts.leave,
  action: string,
  token: string,
): Page => ({
  title: words.title,
  body: (
    <>
      <p safe>{words.text}</p>
      <Form action={action} values={{ token }} submit={{ label: words.submit, size: 'large' }} />
    </>
  ),
});

/** Asks before verifying. */
export const verifyPage = (token: string): Page =>
  buttonPage(texts.verify, '/waitlist/verify', token);

/** Asks before deleting the entry. */
export const leavePage = (token: string): Page => buttonPage(texts.leave, '/waitlist/leave', token);

export const leftPage: Page = { title: texts.left.title, body: <p safe>{texts.left.text}</p> };

/** Where the person stands: a number, and how much of the line is behind them. */
function place({ position, ahead, total, amount_referred: referred }: OwnEntryView): Html {
  const { status } = texts;
  return (
    <>
      {position !== null && ahead !== null && (
        <>
          <p class="place">
            <strong safe>{status.place({ position })}</strong>
            <span safe>{status.of({ total })}</span>
          </p>
          <progress class="line" max={total} value={total - ahead} aria-label={status.behind} />
          <p class="hint" safe>
            {ahead === 0 ? status.first : status.ahead({ ahead })}
          </p>
        </>
      )}
      {referred > 0 && <p safe>{status.referrals({ count: referred })}</p>}
    </>
  );
}

/** Links that open a message with the link in it; nothing is loaded from these services. */
function shareLinks(link: string): Html {
  const { status } = texts;
  const message = `${status.message} ${link}`;
  const all = [
    [status.by.email, `mailto:?${query({ subject: status.message, body: link })}`],
    [status.by.whatsapp, `https://wa.me/?${query({ text: message })}`],
    [status.by.x, `https://x.com/intent/post?${query({ text: message })}`],
    [status.by.linkedin, `https://www.linkedin.com/sharing/share-offsite/?${query({ url: link })}`],
  ] as const;
  return (
    <div class="btn-row share" role="group" aria-label={status.shareBy}>
      {all.map(([label, href]) => (
        <Button
          label={label}
          href={href}
          attributes={href.startsWith('https:') ? { target: '_blank', rel: 'noopener' } : {}}
        />
      ))}
    </div>
  );
}

function sharing({ referral_link: link, next_referral_gain: gain }: OwnEntryView): Html {
  const { status } = texts;
  return (
    <section class="aside" aria-labelledby="share">
      <h2 id="share" safe>
        {status.shareTitle}
      </h2>
      <p safe>{gain === null || gain === 0 ? status.share : status.gain({ places: gain })}</p>
      <div class="copy-line" data-copy>
        <input class="control" type="text" value={link} aria-label={status.link} readonly />
      </div>
      {shareLinks(link)}
    </section>
  );
}

function nextStep({ status }: OwnEntryView): Html | undefined {
  const { signUp, signIn } = texts.status;
  if (status === 'approved')
    return <Button label={signUp} kind="primary" size="large" href="/signup" />;
  return status === 'joined' ? (
    <Button label={signIn} kind="primary" size="large" href="/login" />
  ) : undefined;
}

const headingOf = ({ status }: OwnEntryView): string =>
  status === 'verified' ? texts.status.heading : texts.status.title;

/** A person's own entry. */
export const statusPage = (entry: OwnEntryView): Page => ({
  title: texts.status.title,
  heading: <h1 safe>{headingOf(entry)}</h1>,
  script: 'pages.js',
  body: (
    <>
      {place(entry)}
      <p safe>{texts.status.states[entry.status]}</p>
      {nextStep(entry)}
      {entry.status === 'verified' && sharing(entry)}
      <p class="hint">
        {rich(texts.status.joined, { time: () => <Time at={entry.created_at} /> })}
      </p>
    </>
  ),
});

/** For browsers without the cookie: takes the token from the link, which a script sends at once. */
export const openPage = (isWrong: boolean): Page => ({
  title: texts.open.title,
  isError: isWrong,
  script: 'fragment.js',
  body: (
    <>
      <p safe>{texts.open.text}</p>
      <Form
        action="/waitlist/status"
        submit={{ label: texts.open.submit }}
        attributes={{ 'data-open': true }}
      >
        <Field
          id="token"
          label={texts.open.token}
          maxLength={600}
          isRequired
          error={isWrong ? texts.open.invalid : undefined}
        />
      </Form>
      <p>{rich(texts.open.join, { link: linkTo('/waitlist') })}</p>
    </>
  ),
});
