import type { SettingsView } from '../../../areas/settings/schemas.live.ts';
import type { BrandView } from '../../../areas/settings/schemas.ts';
import type { Html } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { textLink } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { Setting } from '../operations/settings.ts';
import { signUpCard, sitesCard, undoSettings, waitlistCard } from './live-forms.tsx';
import { settingsFrame, settingsPath } from './settings-frame.tsx';
import { type StateLine, StateLines } from './state-lines.tsx';
import { analyticsStates, generalStates, signInStates } from './states.ts';
import { texts } from './texts/en.ts';
import { limitsCard, variablesCard } from './variables.tsx';

const { general } = texts;

const operatorForm = (view: BrandView): Html => (
  <Card
    id="operator"
    title={general.form}
    hint={texts.rule.saved}
    actions={general.shown.map(({ href, text }) => textLink(href, text))}
  >
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

export interface LiveView {
  settings: readonly Setting[];
  live: SettingsView;
  done: string | undefined;
}

interface LivePage {
  lead: string;
  lines: readonly StateLine[];
  card: Html;
  variables?: Html;
}

/** A page with settings that admins change, which can be undone. */
const livePage = (
  id: 'sign-in' | 'analytics',
  { settings, live, done }: LiveView,
  { lead, lines, card, variables = variablesCard(settings) }: LivePage,
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
        {variables}
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
    variables: limitsCard(view.settings),
  });
