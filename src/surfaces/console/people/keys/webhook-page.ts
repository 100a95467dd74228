import { html, type Html } from '../../../../lib/text/html.ts';
import type { EventStatus, ListedEvent } from '../../../../areas/payments/store.ts';
import { keyTabs } from './keys-page.ts';
import type { ConsolePage } from '../../layout.ts';
import { count, plural } from '../../components/number-format.ts';
import {
  badge,
  emptyState,
  facts,
  notice,
  panel,
  time,
  type Tone,
} from '../../components/elements.ts';
import { pager, tabs, withQuery } from '../../components/navigation.ts';
import { postForm } from '../../components/forms.ts';
import { numberColumn, actionsColumn, table } from '../../components/tables.ts';
import { sectionPath } from '../../sections.ts';

export interface WebhookView {
  events: readonly ListedEvent[];
  next: string | null;
  counts: Readonly<Record<EventStatus, number>>;
  isConfigured: boolean;
  /** Where the provider sends events to. */
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

function rowOf(
  {
    id,
    type,
    received_at: at,
    status,
    attempts,
    error_code: error,
    processed_at: settled,
  }: ListedEvent,
  filter: EventStatus | undefined,
) {
  const why =
    error === null
      ? '–'
      : html`<code>${error}</code><br><span class="hint">${reasons[error] ?? ''}</span>`;
  const retry = postForm({
    action: `${webhookPath}/retry`,
    values: { id, status: filter },
    button: 'Try again',
    about: `event-${id}`,
  });
  return [
    html`<span id="event-${id}">${type}</span><br><code>${id}</code>`,
    badge(status, tones[status]),
    why,
    count(attempts),
    time(at),
    time(settled, '–'),
    status === 'failed' ? retry : '',
  ];
}

function listOf({ events, next, status, cursor, url }: WebhookView): Html {
  if (events.length === 0) {
    return emptyState({
      text:
        status === undefined
          ? "Nothing has come yet. To try it, let Stripe's own tool send here:"
          : `No event is ${status}.`,
      ...(status === undefined
        ? {
            call: `stripe listen --forward-to ${url}\nstripe trigger customer.subscription.updated`,
          }
        : {}),
    });
  }
  const columns = [
    'Event',
    'Status',
    'Why',
    numberColumn('Attempts'),
    'Came',
    'Settled',
    actionsColumn('Change'),
  ];
  return html`${table({ caption: 'Events of the payment provider, the newest first', columns, rows: events.map((event) => rowOf(event, status)) })}
${pager({ first: cursor === undefined ? undefined : withQuery(webhookPath, { status }), next: next === null ? undefined : withQuery(webhookPath, { status, cursor: next }), shown: `${plural(events.length, 'event')} on this page, the newest first` })}`;
}

/** What the payment provider has reported. */
export function webhookPage(view: WebhookView, done: string | undefined): ConsolePage {
  const { counts, isConfigured, url, status } = view;
  const total = eventStatuses.reduce((sum, each) => sum + counts[each], 0);
  const all = [
    { href: webhookPath, text: `All ${count(total)}`, isCurrent: status === undefined },
    ...eventStatuses.map((each) => ({
      href: withQuery(webhookPath, { status: each }),
      text: `${each} ${count(counts[each])}`,
      isCurrent: each === status,
    })),
  ];
  const setup = facts([
    ['Address', html`<code>${url}</code>`],
    [
      'Secret',
      isConfigured
        ? badge('is set', 'good')
        : html`${badge('is not set', 'warn')} Nothing is taken before PAYMENTS_WEBHOOK_SECRET is set.`,
    ],
  ]);
  return {
    section: 'keys',
    title: 'Payment webhook',
    notice:
      done === 'retried'
        ? notice(
            'The event is handled again. Load the page again in a moment to see what came of it.',
          )
        : undefined,
    body: html`${keyTabs('webhook')}${panel({ id: 'setup', title: 'Where it comes in', body: setup })}${panel({ id: 'events', title: 'Events', body: html`${tabs('Status', all)}${listOf(view)}` })}`,
  };
}
