import type { SettingsView } from '../../../areas/settings/schemas.live.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { CheckField, Field, FieldSet } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { UndoButton } from '../components/notices.tsx';
import { type SettingsPageId, settingsPath } from './settings-frame.tsx';
import { texts } from './texts/en.ts';

const words = texts.live;

type Member = SettingsView['fixed'][number];

/** Where a setting comes from, as a chip. */
function sourceOf({ fixed }: SettingsView, member: Member, saved: unknown): Html {
  if (fixed.includes(member)) return <Badge text={texts.variables.environment} tone="info" />;
  return saved === null ? (
    <Badge text={texts.variables.standard} />
  ) : (
    <Badge text={words.saved} tone="ok" />
  );
}

const fixedHint = (variable: string): Html => (
  <p class="hint">{escapeHtml(words.fixed({ variable }))}</p>
);

const choice = (
  name: string,
  value: string,
  now: string,
  text: { label: string; hint: string },
) => (
  <CheckField
    id={`${name}-${value}`}
    name={name}
    type="radio"
    value={value}
    label={text.label}
    hint={text.hint}
    isChecked={value === now}
  />
);

/** Who can sign up: a form, or what the environment says. */
export function signUpCard(view: SettingsView): Html {
  const { effective, fixed } = view;
  const isFixed = fixed.includes('sign_up');
  const { signUp } = words;
  const fields = (
    <FieldSet legend={signUp.legend} isDisabled={isFixed}>
      {choice('sign_up', 'open', effective.sign_up, signUp.open)}
      {choice('sign_up', 'invitation', effective.sign_up, signUp.invitation)}
      {choice('sign_up', 'domain', effective.sign_up, signUp.domain)}
      <Field
        id="sign_up_domains"
        label={signUp.domains}
        hint={signUp.domainsHint}
        value={effective.sign_up_domains.join(', ')}
        maxLength={2000}
        attributes={{ placeholder: signUp.domainsExample }}
      />
    </FieldSet>
  );
  return (
    <Card id="sign-up" title={signUp.title} actions={sourceOf(view, 'sign_up', view.sign_up)}>
      {isFixed ? (
        [fixedHint('SIGN_UP'), fields]
      ) : (
        <ConsoleForm action={`${settingsPath('sign-in')}/sign-up`} submit={{ label: words.submit }}>
          {fields}
        </ConsoleForm>
      )}
    </Card>
  );
}

/** Whether unknown sites are added with their first event. */
export function sitesCard(view: SettingsView): Html {
  const { effective, fixed } = view;
  const isFixed = fixed.includes('site_registration');
  const { sites } = words;
  const fields = (
    <FieldSet legend={sites.legend} isDisabled={isFixed}>
      {choice('site_registration', 'open', effective.site_registration, sites.open)}
      {choice('site_registration', 'closed', effective.site_registration, sites.closed)}
    </FieldSet>
  );
  return (
    <Card
      id="sites"
      title={sites.title}
      actions={sourceOf(view, 'site_registration', view.site_registration)}
    >
      {isFixed ? (
        [fixedHint('SITE_REGISTRATION'), fields]
      ) : (
        <ConsoleForm action={`${settingsPath('analytics')}/sites`} submit={{ label: words.submit }}>
          {fields}
        </ConsoleForm>
      )}
    </Card>
  );
}

const waitlistMembers = ['waitlist_total', 'waitlist_leaderboard'] as const;

/** What the public waitlist shows. */
export function waitlistCard(view: SettingsView): Html {
  const { waitlist } = words;
  const open = waitlistMembers.filter((member) => !view.fixed.includes(member));
  const field = (member: (typeof waitlistMembers)[number]): Html => (
    <CheckField
      id={member}
      label={waitlist[member].label}
      hint={view.fixed.includes(member) ? words.fixed(waitlist[member]) : waitlist[member].hint}
      isChecked={view.effective[member]}
      attributes={{ disabled: view.fixed.includes(member) }}
    />
  );
  const fields = waitlistMembers.map(field);
  return (
    <Card id="waitlist" title={waitlist.title}>
      {open.length === 0 ? (
        fields
      ) : (
        <ConsoleForm
          action={`${settingsPath('general')}/waitlist`}
          values={{ member: open }}
          submit={{ label: words.submit }}
        >
          {fields}
        </ConsoleForm>
      )}
    </Card>
  );
}

/** Undoes the last change, in its notice. */
export const undoSettings = (id: SettingsPageId, { changed_at: at }: SettingsView) =>
  at === null ? undefined : (
    <UndoButton action={`${settingsPath(id)}/undo`} values={{ changed_at: at }} />
  );
