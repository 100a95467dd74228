import type { z } from 'zod';
import { html, type Html } from '../../../lib/text/html.ts';
import type { SubscriberPage } from '../../../areas/status/subscriptions/schemas.subscribers.ts';
import type { ConsolePage } from '../layout.ts';
import { plural } from '../components/number-format.ts';
import { badge, emptyState, panel, time } from '../components/elements.ts';
import { pager, withQuery } from '../components/navigation.ts';
import { postForm } from '../components/forms.ts';
import { actionsColumn, table } from '../components/tables.ts';
import { sectionPath } from '../sections.ts';

const home = sectionPath('status');

export const subscribersPath = `${home}/subscribers`;

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
  const place = subscribersPath;
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
          columns: ['Address', 'State', 'Asked', actionsColumn('Remove')],
          rows,
        });
  return {
    section: 'status',
    title: 'Subscribers',
    notice,
    actions: html`<a href="${home}">Status</a>`,
    body: panel({
      id: 'subscribers',
      title: plural(total, 'confirmed address', 'confirmed addresses'),
      body: html`${search}${list}${pager({ first: isFirst ? undefined : withQuery(place, { find }), next: next === null ? undefined : withQuery(place, { find, cursor: next }), shown: `${plural(rows.length, 'address', 'addresses')} on this page` })}`,
    }),
  };
}
