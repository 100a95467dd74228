import type { DeliveryCount } from '../../../areas/comms/store.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { textLink } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import { count } from '../components/number-format.ts';
import type { ConsolePage } from '../layout.tsx';
import type { Setting } from '../operations/settings.ts';
import { settingsFrame, settingsPath } from './settings-frame.tsx';
import { texts } from './texts/en.ts';
import { variablesCard } from './variables.tsx';

const words = texts.messages;

type Channel = DeliveryCount['channel'];

export interface MessagesView {
  settings: readonly Setting[];
  /** Whether messages can be sent, by channel. */
  channels: Readonly<Record<Channel, boolean>>;
  /** Names of the channels whose messages stay in the outbox. */
  kept: readonly string[];
  /** What was queued within a day. */
  counts: readonly DeliveryCount[];
  /** The viewer's own address. */
  to: string | undefined;
  done: string | undefined;
}

type Way = 'kept' | 'on' | 'off';
const tones = { kept: 'warn', on: 'ok', off: 'neutral' } as const;

const wayOf = ({ channels, kept }: MessagesView, channel: Channel): Way =>
  kept.includes(words.channels[channel].name) ? 'kept' : channels[channel] ? 'on' : 'off';

/** What a variable says, or that it is not set. */
const shown = (settings: readonly Setting[], name: string): Html => {
  const value = settings.find((setting) => setting.name === name)?.value;
  return value === '' ? (
    <span class="hint">{escapeHtml(words.notSet)}</span>
  ) : (
    escapeHtml(value ?? words.isSet)
  );
};

function lastDay({ counts }: MessagesView, channel: Channel): string {
  const of = (...states: readonly DeliveryCount['status'][]) =>
    counts
      .filter((each) => each.channel === channel && states.includes(each.status))
      .reduce((sum, each) => sum + each.count, 0);
  const lost = of('failed', 'expired');
  return words.lastDayText({
    sent: count(of('sent')),
    waiting: count(of('queued')),
    lost: count(lost),
  });
}

function testForm({ to, channels: { email: isConfigured } }: MessagesView): Html {
  if (to === undefined || !isConfigured)
    return <p class="hint">{escapeHtml(isConfigured ? words.noEmail : words.notConfigured)}</p>;
  return (
    <ConsoleForm
      action={`${settingsPath('messages')}/test`}
      submit={{ label: words.submit, icon: 'mail', kind: 'secondary' }}
    >
      <p class="hint">{escapeHtml(words.testHint({ to }))}</p>
    </ConsoleForm>
  );
}

function channelCard(view: MessagesView, channel: Channel): Html {
  const way = wayOf(view, channel);
  const text = words.channels[channel];
  return (
    <Card
      id={channel}
      title={text.title}
      hint={text.hint}
      actions={<Badge text={words.ways[way]} tone={tones[way]} />}
    >
      <Facts
        facts={[
          ...text.facts.map(({ name, variable }) => ({
            name,
            value: shown(view.settings, variable),
          })),
          { name: words.lastDay, value: escapeHtml(lastDay(view, channel)) },
        ]}
      />
      {way !== 'on' && (
        <p class="hint">
          {escapeHtml(text.change)} {way === 'kept' && textLink('/dev/outbox', words.outbox)}
        </p>
      )}
      {channel === 'email' && testForm(view)}
    </Card>
  );
}

/** Email and SMS: how each leaves, what left within a day, and a test. */
export const messagesPage = (view: MessagesView): ConsolePage =>
  settingsFrame({
    id: 'messages',
    lead: words.lead,
    notice: doneNotice(words.notices, view.done),
    children: (
      <>
        {channelCard(view, 'email')}
        {channelCard(view, 'sms')}
        {variablesCard(view.settings)}
      </>
    ),
  });
