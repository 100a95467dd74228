import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { EventStatus, ListedEvent } from '../../../../areas/payments/store.ts';
import { keyTabs } from './keys-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count, plural } from '../../components/number-format.ts';
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
const reasons: Readonly<Record<string, string>> = {
  user_unknown: 'nobody here has this address or customer',
  object_invalid: 'it lacks what its kind should have',
  handler_failed: 'five attempts went wrong',
};

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
    button: 'Try again',
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
    badge(status, tones[status]),
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
        text: "Nothing has come yet. To try it, let Stripe's own tool send here:",
        call: `stripe listen --forward-to ${url}\nstripe trigger customer.subscription.updated`,
      })
    : emptyState({ text: `No event is ${status}.` });

function eventList(view: WebhookView): Html {
  const { events, next, status, cursor } = view;
  if (events.length === 0) return noEvents(view);
  const list = table({
    caption: 'Events of the payment provider, the newest first',
    columns: [
      'Event',
      'Status',
      'Why',
      numberColumn('Attempts'),
      'Came',
      'Settled',
      actionsColumn('Change'),
    ],
    rows: events.map((event) => row(event, status)),
  });
  const pages = cursorPager({
    path: webhookPath,
    query: { status },
    isFirst: cursor === undefined,
    next,
    shown: `${plural(events.length, 'event')} on this page, the newest first`,
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
  return tabs('Status', [
    { href: webhookPath, text: `All ${count(total)}`, isCurrent: status === undefined },
    ...eventStatuses.map((each) => ({
      href: withQuery(webhookPath, { status: each }),
      text: `${each} ${count(counts[each])}`,
      isCurrent: each === status,
    })),
  ]);
}

function setupPanel({ isConfigured, url }: WebhookView): Html {
  const unset = (
    <>{badge('is not set', 'warn')} Nothing is taken before PAYMENTS_WEBHOOK_SECRET is set.</>
  );
  const body = facts([
    ['Address', <code safe>{url}</code>],
    ['Secret', isConfigured ? badge('is set', 'good') : unset],
  ]);
  return panel({ id: 'setup', title: 'Where it comes in', body });
}

/** Events of the payment provider. */
export function webhookPage(view: WebhookView, done: string | undefined): ConsolePage {
  const retried = notice(
    'The event is handled again. Load the page again in a moment to see what came of it.',
  );
  return {
    section: 'keys',
    title: 'Payment webhook',
    notice: done === 'retried' ? retried : undefined,
    body: [
      keyTabs('webhook'),
      setupPanel(view),
      panel({ id: 'events', title: 'Events', body: [statusTabs(view), eventList(view)] }),
    ],
  };
}
