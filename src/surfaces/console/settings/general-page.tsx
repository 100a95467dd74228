import type { SettingsView } from '../../../areas/settings/schemas.live.ts';
import type { BrandView } from '../../../areas/settings/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { Setting } from '../operations/settings.ts';
import { signUpCard, sitesCard, undoSettings, waitlistCard } from './live-forms.tsx';
import { settingsFrame, settingsPath } from './settings-frame.tsx';
import { type StateLine, StateLines } from './state-lines.tsx';
import {
  analyticsStates,
  type ChannelStates,
  deviceStates,
  generalStates,
  messageStates,
  signInStates,
} from './states.ts';
import { texts } from './texts/en.ts';
import { variablesCard } from './variables.tsx';

const { general, messages } = texts;

const operatorForm = (view: BrandView): Html => (
  <Card id="operator" title={general.form} hint={texts.rule.saved}>
    <ConsoleForm action={`${settingsPath('general')}/save`} submit={{ label: general.submit }}>
      <Field
        id="contact_email"
        type="email"
        label={general.contactEmail}
        hint={general.contactHint}
        value={view.contact_email ?? ''}
        attributes={{ placeholder: view.effective.contact_email ?? '' }}
      />
      <Field
        id="legal_name"
        label={general.legalName}
        hint={general.legalNameHint}
        value={view.legal_name ?? ''}
        maxLength={100}
        attributes={{ placeholder: view.effective.legal_name }}
      />
      <Field
        id="legal_address"
        label={general.legalAddress}
        hint={general.legalAddressHint}
        value={view.legal_address ?? ''}
        maxLength={300}
        attributes={{ placeholder: view.effective.legal_address ?? '' }}
      />
    </ConsoleForm>
  </Card>
);

export interface GeneralView {
  brand: BrandView;
  live: SettingsView;
  settings: readonly Setting[];
  done: string | undefined;
}

/** Facts about the operator, what the waitlist shows, and the variables of the product. */
export const generalPage = ({ brand, live, settings, done }: GeneralView): ConsolePage =>
  settingsFrame({
    id: 'general',
    lead: general.lead,
    notice: doneNotice({ ...general.notices, ...texts.live.notices }, done, {
      undo: done === 'changed' ? undoSettings('general', live) : undefined,
    }),
    children: (
      <>
        <StateLines lines={generalStates(brand)} />
        {operatorForm(brand)}
        {waitlistCard(live)}
        {variablesCard(settings)}
      </>
    ),
  });

export interface MessagesView extends ChannelStates {
  settings: readonly Setting[];
  /** The viewer's own address. */
  to: string | undefined;
  done: string | undefined;
}

function testCard({ to, channels: { email: isConfigured } }: MessagesView): Html {
  const problem = isConfigured ? messages.noEmail : messages.notConfigured;
  if (to === undefined || !isConfigured)
    return (
      <Card id="test" title={messages.test}>
        <p class="hint">{escapeHtml(problem)}</p>
      </Card>
    );
  return (
    <Card id="test" title={messages.test} hint={messages.testHint({ to })}>
      <ConsoleForm
        action={`${settingsPath('messages')}/test`}
        submit={{ label: messages.submit, icon: 'mail', kind: 'secondary' }}
      />
    </Card>
  );
}

/** Email and SMS: a test, and their variables. */
export const messagesPage = (view: MessagesView): ConsolePage =>
  settingsFrame({
    id: 'messages',
    lead: messages.lead,
    notice: doneNotice(messages.notices, view.done),
    children: (
      <>
        <StateLines lines={messageStates(view)} />
        {testCard(view)}
        {variablesCard(view.settings)}
      </>
    ),
  });

/** What admins need before they may change anything. */
export const deviceSettingsPage = (settings: readonly Setting[]): ConsolePage =>
  settingsFrame({
    id: 'devices',
    lead: texts.devices.lead,
    children: (
      <>
        <StateLines lines={deviceStates(settings)} />
        {variablesCard(settings)}
      </>
    ),
  });

export interface LiveView {
  settings: readonly Setting[];
  live: SettingsView;
  done: string | undefined;
}

/** A page with settings that admins change, which can be undone. */
const livePage = (
  id: 'sign-in' | 'analytics',
  { settings, live, done }: LiveView,
  { lead, lines, card }: { lead: string; lines: readonly StateLine[]; card: Html },
): ConsolePage =>
  settingsFrame({
    id,
    lead,
    notice: doneNotice(texts.live.notices, done, {
      undo: done === 'changed' ? undoSettings(id, live) : undefined,
    }),
    children: (
      <>
        <StateLines lines={lines} />
        {card}
        {variablesCard(settings)}
      </>
    ),
  });

/** Who can sign up, and how people sign in. */
export const signInSettingsPage = (view: LiveView): ConsolePage =>
  livePage('sign-in', view, {
    lead: texts.signIn.lead,
    lines: signInStates(view.settings, view.live),
    card: signUpCard(view.live),
  });

/** Whether events are accepted, and for which sites. */
export const analyticsSettingsPage = (view: LiveView): ConsolePage =>
  livePage('analytics', view, {
    lead: texts.analytics.lead,
    lines: analyticsStates(view.settings, view.live),
    card: sitesCard(view.live),
  });
