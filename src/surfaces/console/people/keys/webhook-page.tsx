import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { EventStatus, ListedEvent } from '../../../../areas/payments/store.ts';
import { keyTabs } from './keys-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState, Toast } from '../../../../platform/ui/components/feedback.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { cursorPager, tabs, textLink, withQuery } from '../../components/navigation.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { below } from '../labels.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

export interface WebhookView {
  events: readonly ListedEvent[];
  next: string | null;
  counts: Readonly<Record<EventStatus, number>>;
  isConfigured: boolean;
  /** The URL that the provider sends events to. */
  url: string;
  status: EventStatus | undefined;
  cursor: string | undefined;
}

export const eventStatuses = [
  'pending',
  'failed',
  'ignored',
  'done',
] as const satisfies readonly EventStatus[];

export const webhookPath = `${sectionPath('keys')}/webhook`;
const tones: Readonly<Record<EventStatus, Tone>> = {
  pending: 'info',
  failed: 'bad',
  ignored: 'neutral',
  done: 'ok',
};
const words = texts.webhook;
const guide = '/developer/guides/payment-webhooks';
const reasons: Readonly<Partial<Record<string, string>>> = words.errors;

const typeCell = ({ id, type }: ListedEvent): Html => (
  <>
    <span id={`event-${id}`} safe>
      {type}
    </span>
    <br />
    <code safe>{id}</code>
  </>
);

const errorCell = ({ error_code: error }: ListedEvent): Html =>
  error === null ? (
    escapeHtml('–')
  ) : (
    <>
      <code safe>{error}</code>
      {below(reasons[error] ?? '')}
    </>
  );

/** `filter`: the status of the list, which the page shows again after a retry. */
function eventColumns(filter: EventStatus | undefined): Column<ListedEvent>[] {
  const { columns } = words;
  return [
    { title: columns.event, cell: typeCell },
    {
      title: columns.status,
      cell: ({ status }) => <Badge text={words.statuses[status]} tone={tones[status]} />,
    },
    { title: columns.error, cell: errorCell },
    { title: columns.attempts, text: ({ attempts }) => count(attempts), isNumber: true },
    { title: columns.received, cell: ({ received_at: at }) => <Time at={at} /> },
    { title: columns.processed, cell: ({ processed_at: at }) => <OptionalTime at={at} none="–" /> },
    {
      title: texts.actions,
      cell: ({ id, status }) =>
        status === 'failed' && (
          <ActionButton
            action={`${webhookPath}/retry`}
            values={{ id, status: filter }}
            label={words.retry}
            about={`event-${id}`}
          />
        ),
      isTitleHidden: true,
    },
  ];
}

const noEvents = ({ status, url }: WebhookView): Html =>
  status === undefined ? (
    <EmptyState icon="list" text={words.none}>
      <Copy
        text={`stripe listen --forward-to ${url}\nstripe trigger customer.subscription.updated`}
        label={consoleTexts.copy}
      />
    </EmptyState>
  ) : (
    <EmptyState icon="list" text={words.noneInStatus({ status: words.statuses[status] })} />
  );

const totalOf = (counts: WebhookView['counts']): number =>
  eventStatuses.reduce((sum, each) => sum + counts[each], 0);

function statusTabs({ counts, status }: WebhookView): Html {
  const all = words.all({ count: totalOf(counts) });
  return tabs(words.statusTabs, [
    { href: webhookPath, text: all, isCurrent: status === undefined },
    ...eventStatuses.map((each) => ({
      href: withQuery(webhookPath, { status: each }),
      text: words.tab({ status: words.statuses[each], count: counts[each] }),
      isCurrent: each === status,
    })),
  ]);
}

function eventsPanel(view: WebhookView): Html {
  const { events, next, status, cursor, counts } = view;
  const total = totalOf(counts);
  const pager = {
    path: webhookPath,
    query: { status },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: events.length }),
  };
  return (
    <Card id="events" title={words.events}>
      {total > 0 && statusTabs(view)}
      <Table
        caption={words.caption}
        columns={eventColumns(status)}
        rows={events}
        empty={noEvents(view)}
      />
      {events.length > 0 && cursorPager(pager)}
    </Card>
  );
}

function setupPanel({ isConfigured, url }: WebhookView): Html {
  const secret = isConfigured ? (
    <Badge text={words.isSet} tone="ok" />
  ) : (
    <>
      <Badge text={words.isUnset} tone="warn" /> {escapeHtml(words.unsetHint)}
    </>
  );
  return (
    <Card id="setup" title={words.setup} actions={textLink(guide, words.guide)}>
      <Facts
        facts={[
          { name: words.url, value: <Copy text={url} label={consoleTexts.copy} /> },
          { name: words.secret, value: secret },
        ]}
      />
      {!isConfigured && (
        <ol class="points">
          {words.steps.map((step) => (
            <li safe>{step}</li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** Events of the payment provider. */
export const webhookPage = (view: WebhookView, done: string | undefined): ConsolePage => ({
  section: 'keys',
  title: words.title,
  notice: done === 'retried' ? <Toast text={words.retried} /> : undefined,
  body: [keyTabs('webhook'), setupPanel(view), eventsPanel(view)],
});
