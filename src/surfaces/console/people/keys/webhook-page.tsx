import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { EventStatus, ListedEvent } from '../../../../areas/payments/store.ts';
import { keyTabs } from './keys-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import {
  badge,
  emptyState,
  facts,
  notice,
  panel,
  time,
  type Tone,
} from '../../components/elements.tsx';
import { cursorPager, tabs, withQuery } from '../../components/navigation.tsx';
import { postForm } from '../../components/forms.tsx';
import { numberColumn, actionsColumn, type Row, table } from '../../components/tables.tsx';
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
  ignored: 'quiet',
  done: 'good',
};
const words = texts.webhook;
const reasons: Readonly<Partial<Record<string, string>>> = words.errors;

function row(event: ListedEvent, filter: EventStatus | undefined): Row {
  const { id, status, error_code: error } = event;
  const why =
    error === null ? (
      escapeHtml('–')
    ) : (
      <>
        <code safe>{error}</code>
        <br />
        <span class="hint" safe>
          {reasons[error] ?? ''}
        </span>
      </>
    );
  const retry = postForm({
    action: `${webhookPath}/retry`,
    values: { id, status: filter },
    button: words.retry,
    about: `event-${id}`,
  });
  return [
    <>
      <span id={`event-${id}`} safe>
        {event.type}
      </span>
      <br />
      <code safe>{id}</code>
    </>,
    badge(words.statuses[status], tones[status]),
    why,
    escapeHtml(count(event.attempts)),
    time(event.received_at),
    time(event.processed_at, '–'),
    status === 'failed' ? retry : undefined,
  ];
}

const noEvents = ({ status, url }: WebhookView): Html =>
  status === undefined
    ? emptyState({
        text: words.none,
        call: `stripe listen --forward-to ${url}\nstripe trigger customer.subscription.updated`,
      })
    : emptyState({ text: words.noneInStatus({ status: words.statuses[status] }) });

function eventList(view: WebhookView): Html {
  const { events, next, status, cursor } = view;
  if (events.length === 0) return noEvents(view);
  const { columns } = words;
  const list = table({
    caption: words.caption,
    columns: [
      columns.event,
      columns.status,
      columns.error,
      numberColumn(columns.attempts),
      columns.received,
      columns.processed,
      actionsColumn(texts.actions),
    ],
    rows: events.map((event) => row(event, status)),
  });
  const pages = cursorPager({
    path: webhookPath,
    query: { status },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: events.length }),
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

function statusTabs({ counts, status }: WebhookView): Html {
  const total = eventStatuses.reduce((sum, each) => sum + counts[each], 0);
  return tabs(words.statusTabs, [
    { href: webhookPath, text: words.all({ count: total }), isCurrent: status === undefined },
    ...eventStatuses.map((each) => ({
      href: withQuery(webhookPath, { status: each }),
      text: words.tab({ status: words.statuses[each], count: counts[each] }),
      isCurrent: each === status,
    })),
  ]);
}

function setupPanel({ isConfigured, url }: WebhookView): Html {
  const unset = (
    <>
      {badge(words.isUnset, 'warn')} {escapeHtml(words.unsetHint)}
    </>
  );
  const body = facts([
    [words.url, <code safe>{url}</code>],
    [words.secret, isConfigured ? badge(words.isSet, 'good') : unset],
  ]);
  return panel({ id: 'setup', title: words.setup, body });
}

/** Events of the payment provider. */
export function webhookPage(view: WebhookView, done: string | undefined): ConsolePage {
  const retried = notice(words.retried);
  return {
    section: 'keys',
    title: words.title,
    notice: done === 'retried' ? retried : undefined,
    body: [
      keyTabs('webhook'),
      setupPanel(view),
      panel({ id: 'events', title: words.events, body: [statusTabs(view), eventList(view)] }),
    ],
  };
}
