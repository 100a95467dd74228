import type { z } from 'zod';
import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Card } from '../../platform/ui/components/card.tsx';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { CheckField, Field, Form, Honeypot } from '../../platform/ui/components/form.tsx';
import { Copy } from '../../platform/ui/components/overlay.tsx';
import { Stats } from '../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../platform/ui/components/table.tsx';
import { linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { LeaderboardView, OwnEntryView } from './schemas.ts';
import { texts } from './texts/en.ts';

export const fields = ['email', 'name', 'referral_code', 'consent'] as const;
export type FieldName = (typeof fields)[number];

/** Entered values that the form shows again. */
export type Shown = Partial<Record<FieldName, string>>;

export interface PublicView {
  total: number | null;
  leaders: z.output<typeof LeaderboardView>['data'];
}

function form(shown: Shown, wrong: readonly FieldName[]): Html {
  const { join, errors } = texts;
  const code = shown.referral_code ?? '';
  const errorOf = (name: 'email' | 'name' | 'consent') =>
    wrong.includes(name) ? errors[name] : undefined;
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
      <Field
        id="name"
        label={texts.fields.name}
        hint={texts.fields.nameHint}
        value={shown.name}
        error={errorOf('name')}
        attributes={{ autocomplete: 'name' }}
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

type Leader = PublicView['leaders'][number];

const leaderColumns: readonly Column<Leader>[] = [
  { title: texts.leaderboard.rank, text: ({ rank }) => formatNumber(rank) },
  { title: texts.leaderboard.name, text: ({ name }) => name ?? texts.leaderboard.unnamed },
  {
    title: texts.leaderboard.referrals,
    text: ({ amount_referred: count }) => formatNumber(count),
    isNumber: true,
  },
];

const leaderboard = (leaders: readonly Leader[]): Html => (
  <Card id="leaders" title={texts.leaderboard.title}>
    <Table caption={texts.leaderboard.caption} columns={leaderColumns} rows={leaders} />
  </Card>
);

const about: Pick<SitePage, 'path' | 'description'> = {
  path: '/waitlist',
  description: texts.join.description,
};

/** The form, with what the operator shows of the list. */
export const joinPage = (shown: Shown, { total, leaders }: PublicView): SitePage => ({
  ...about,
  title: texts.join.title,
  body: (
    <>
      <p class="lead" safe>
        {texts.join.lead}
      </p>
      {total !== null && total > 0 && <p safe>{texts.join.waiting({ total })}</p>}
      {form(shown, [])}
      {leaders.length > 0 && leaderboard(leaders)}
    </>
  ),
});

/** Shown when no email can be sent, because then no address can be verified. */
export const closedPage: SitePage = {
  ...about,
  title: texts.join.title,
  body: <Banner text={texts.closed.text} tone="warn" />,
};

/** The form again, with its errors. */
export const joinAgainPage = (shown: Shown, wrong: readonly FieldName[]): SitePage => ({
  title: texts.join.title,
  isError: true,
  body: form(shown, wrong),
});

/** Does not reveal whether the address is known. */
export const askedPage: SitePage = {
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
): SitePage => ({
  title: words.title,
  body: (
    <>
      <p safe>{words.text}</p>
      <Form action={action} values={{ token }} submit={{ label: words.submit, size: 'large' }} />
    </>
  ),
});

/** Asks before verifying. */
export const verifyPage = (token: string): SitePage =>
  buttonPage(texts.verify, '/waitlist/verify', token);

/** Asks before deleting the entry. */
export const leavePage = (token: string): SitePage =>
  buttonPage(texts.leave, '/waitlist/leave', token);

export const leftPage: SitePage = { title: texts.left.title, body: <p safe>{texts.left.text}</p> };

function place({ position, ahead, total, amount_referred: referred }: OwnEntryView): Html {
  const { status } = texts;
  const all = [
    { label: status.referrals, value: formatNumber(referred) },
    ...(position === null || ahead === null
      ? []
      : [
          { label: status.position, value: status.place({ position, total }) },
          { label: status.ahead, value: formatNumber(ahead) },
        ]),
  ];
  return <Stats label={status.figures} all={all.reverse()} />;
}

const sharing = (entry: OwnEntryView): Html => (
  <Card id="share" title={texts.status.shareTitle} hint={texts.status.share}>
    <Copy label={texts.status.link} text={entry.referral_link} />
  </Card>
);

function nextStep({ status }: OwnEntryView): Html | undefined {
  const { signUp, signIn } = texts.status;
  if (status === 'approved') return <Button label={signUp} kind="primary" href="/signup" />;
  return status === 'joined' ? <Button label={signIn} kind="primary" href="/login" /> : undefined;
}

/** A person's own entry. */
export const statusPage = (entry: OwnEntryView): SitePage => ({
  title: texts.status.title,
  script: 'pages.js',
  body: (
    <>
      <p class="lead" safe>
        {texts.status.states[entry.status]}
      </p>
      {nextStep(entry)}
      {place(entry)}
      {entry.status === 'verified' && sharing(entry)}
      <p class="hint">
        {rich(texts.status.joined, { time: () => <Time at={entry.created_at} /> })}
      </p>
    </>
  ),
});

/** For browsers without the cookie: takes the token from the link, which a script sends at once. */
export const openPage = (isWrong: boolean): SitePage => ({
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
