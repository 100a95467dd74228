import type { z } from 'zod';
import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ComponentView, SubscriberPage } from '../../../areas/status/schemas.admin.ts';
import { lineChart } from '../analytics/chart.ts';
import type { ConsolePage } from '../layout.ts';
import { counted, decimal } from '../numbers.ts';
import {
  badge,
  emptyState,
  facts,
  pager,
  panel,
  postForm,
  table,
  time,
  withQuery,
} from '../parts.ts';
import { placeOf } from '../sections.ts';
import { archiveForm, changeComponentForm } from './status-forms.ts';
import { answerTime, componentBadge, dayBars, uptimeText, words } from './status-words.ts';
import type { Viewer } from '../request-context.ts';

const home = placeOf('status');

export interface OneComponentView {
  component: ComponentView;
  state: ComponentState | undefined;
}

const checkOf = ({ source, target, settings }: ComponentView): string => {
  if (source === 'builtin' || settings === null) return 'Built in: the service checks it itself';
  return `${source.toUpperCase()}${target === null ? '' : ` to ${target}`}, each ${settings.interval_s} s; an answer may take ${settings.timeout_ms} ms${settings.expected_status === null ? '' : `; good: ${settings.expected_status.join(', ')}`}`;
};

function answersPanel({ responseTimes }: ComponentState): Html | undefined {
  if (responseTimes.length === 0) return undefined;
  const chart = lineChart({
    id: 'answers-chart',
    caption: 'Mean answer by hour (UTC), in milliseconds',
    format: (value) => `${decimal(value)} ms`,
    steps: responseTimes.map(({ at }) => new Date(at).toISOString().slice(5, 16).replace('T', ' ')),
    lines: [
      {
        name: 'Mean answer',
        kind: 'first',
        values: responseTimes.map(({ ms }) => Math.round(ms * 10) / 10),
      },
    ],
  });
  return panel({ id: 'answers', title: 'How long answers take', live: true, body: chart });
}

function daysPanel(state: ComponentState): Html {
  const rows = state.days
    .filter(({ worst }) => worst !== 'operational' && worst !== 'no_data')
    .toReversed()
    .map(({ day, worst, ms }) => [
      day,
      componentBadge(worst),
      Object.entries(ms)
        .map(([status, spent]) => `${words(status)} ${Math.max(1, Math.round(spent / 60_000))} min`)
        .join(', '),
    ]);
  const list =
    rows.length === 0
      ? html`<p class="hint">No day with problems.</p>`
      : table({
          caption: 'Days with problems, newest first',
          columns: [{ name: 'Day' }, { name: 'Worst' }, { name: 'How long' }],
          rows,
        });
  return panel({ id: 'days', title: '90 days', live: true, body: html`${dayBars(state)}${list}` });
}

/** One component: how it is and was, and for admins how it is checked. */
export function componentPage(
  { component, state }: OneComponentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const about = facts([
    ['State', componentBadge(component.status)],
    ['Uptime', uptimeText(component.uptime)],
    ...(state === undefined ? [] : [['Answer', answerTime(state)] as const]),
    ['Check', checkOf(component)],
    ['Id', html`<code>${component.id}</code>`],
    ...(component.description === null ? [] : [['Description', component.description] as const]),
    ...(component.only_show_if_degraded
      ? [['Shown', 'Only while something is wrong'] as const]
      : []),
    ['Since', time(component.created_at)],
  ]);
  const changes = html`${panel({ id: 'change', title: 'Change it', body: changeComponentForm(component) })}${component.source === 'builtin' ? undefined : panel({ id: 'danger', title: 'Archive', body: archiveForm(component) })}`;
  return {
    section: 'status',
    title: component.name,
    notice,
    channels: ['status'],
    every: 30,
    actions: html`<a href="${home}">Status</a>`,
    body: html`<div class="columns"><div>${panel({ id: 'facts', title: 'Facts', live: true, body: about })}${state === undefined ? undefined : html`${daysPanel(state)}${answersPanel(state)}`}</div>${isAdmin ? html`<div>${changes}</div>` : undefined}</div>`,
  };
}

export interface SubscribersView {
  page: z.output<typeof SubscriberPage>;
  /** What was searched for. */
  email: string | undefined;
  /** The same as it stands in addresses. */
  find: string | undefined;
  isFirst: boolean;
}

/** Who gets updates by e-mail. */
export function subscribersPage(
  { page: { data, next_cursor: next, total }, email, find, isFirst }: SubscribersView,
  notice: Html | undefined,
): ConsolePage {
  const place = `${home}/subscribers`;
  const rows = data.map(({ id, email: address, created_at: asked, confirmed_at: confirmed }) => [
    html`<span id="address-${id}">${address}</span>`,
    confirmed === null ? badge('not confirmed', 'warn') : badge('confirmed', 'good'),
    time(asked),
    postForm({
      action: `${place}/remove`,
      values: { id },
      button: 'Remove',
      about: `address-${id}`,
      kind: 'danger',
    }),
  ]);
  const search = html`<form class="filters" method="post" role="search" aria-label="Subscribers" action="${place}/find" data-send><div class="field"><label for="subscriber-email">E-mail address</label><input id="subscriber-email" name="email" type="search" value="${email ?? ''}" maxlength="320"></div><button type="submit" class="second">Find</button></form>`;
  const list =
    rows.length === 0
      ? emptyState({
          text:
            email === undefined
              ? 'Nobody has subscribed yet.'
              : 'Nobody has subscribed with this address.',
          link: { href: '/status', text: 'The public page, where people subscribe' },
        })
      : table({
          caption: 'Subscribers, newest first',
          columns: [
            { name: 'Address' },
            { name: 'State' },
            { name: 'Asked' },
            { name: 'Remove', isQuiet: true },
          ],
          rows,
        });
  return {
    section: 'status',
    title: 'Subscribers',
    notice,
    actions: html`<a href="${home}">Status</a>`,
    body: panel({
      id: 'subscribers',
      title: counted(total, 'confirmed address', 'confirmed addresses'),
      body: html`${search}${list}${pager({ first: isFirst ? undefined : withQuery(place, { find }), next: next === null ? undefined : withQuery(place, { find, cursor: next }), shown: `${counted(rows.length, 'address', 'addresses')} on this page` })}`,
    }),
  };
}
