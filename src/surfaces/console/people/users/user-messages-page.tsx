import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { below } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { SentMessage, UserMessagesView } from './sent-messages.ts';
import { userFrame } from './user-frame.tsx';

const words = texts.user.messages;

const columns: readonly Column<SentMessage>[] = [
  {
    title: words.columns.what,
    cell: ({ what, channel, to }) => (
      <div class="sent">
        <Icon name={channel === 'email' ? 'mail' : 'message'} />
        <div>
          {escapeHtml(what)}
          <span class="hint" safe>
            {words.by({ channel: words.channels[channel], to })}
          </span>
        </div>
      </div>
    ),
  },
  {
    title: words.columns.outcome,
    cell: ({ tone, outcome, why }) => (
      <>
        <Badge text={outcome} tone={tone} />
        {why !== undefined && below(why)}
      </>
    ),
  },
  { title: words.columns.at, cell: ({ at }) => <Time at={at} /> },
];

/** Messages to a person, and what became of them. */
export const MessagesTable = ({ messages }: { messages: readonly SentMessage[] }): Html => (
  <Table
    caption={words.title}
    columns={columns}
    rows={messages}
    empty={<EmptyState icon="mail" text={words.none} />}
  />
);

/** What was sent to a person, and why something was not. Codes themselves are never shown. */
export const userMessagesPage = (view: UserMessagesView, isOwn: boolean): ConsolePage =>
  userFrame(view, 'messages', {
    isOwn,
    body: (
      <Card id="messages" title={words.title} hint={words.hint} isLive>
        <MessagesTable messages={view.messages} />
      </Card>
    ),
  });
