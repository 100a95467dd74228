import type { BrandView } from '../../../areas/settings/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { Setting } from '../operations/settings.ts';
import { settingsFrame, type SettingsPageId, settingsPath } from './settings-frame.tsx';
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

/** Facts about the operator, which can be changed here, and the variables of the product. */
export const generalPage = (
  view: BrandView,
  { settings, done }: { settings: readonly Setting[]; done: string | undefined },
): ConsolePage =>
  settingsFrame({
    id: 'general',
    lead: general.lead,
    notice: doneNotice(general.notices, done),
    children: (
      <>
        {operatorForm(view)}
        {variablesCard(settings)}
      </>
    ),
  });

export interface MessagesView {
  settings: readonly Setting[];
  /** The viewer's own address. */
  to: string | undefined;
  isConfigured: boolean;
  done: string | undefined;
}

function testCard({ to, isConfigured }: MessagesView): Html {
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
        {testCard(view)}
        {variablesCard(view.settings)}
      </>
    ),
  });

const leads = {
  'sign-in': texts.signIn.lead,
  analytics: texts.analytics.lead,
  devices: texts.devices.lead,
};

/** Variables of a subject. */
export const variablesPage = (
  id: Extract<SettingsPageId, keyof typeof leads>,
  settings: readonly Setting[],
): ConsolePage => settingsFrame({ id, lead: leads[id], children: variablesCard(settings) });
