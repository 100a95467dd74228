import type { z } from 'zod';
import { attributes, html, type Html } from '../../../lib/text/html.ts';
import type { SubscriberPage } from '../../../areas/status/subscriptions/schemas.subscribers.ts';
import type { ConsolePage } from '../layout.ts';
import { plural } from '../components/number-format.ts';
import { badge, emptyState, panel, time } from '../components/elements.ts';
import { cursorPager } from '../components/navigation.ts';
import { postForm } from '../components/forms.ts';
import { actionsColumn, table } from '../components/tables.ts';
import { sectionPath } from '../sections.ts';

const home = sectionPath('status');

export const subscribersPath = `${home}/subscribers`;

export interface SubscribersView {
  page: z.output<typeof SubscriberPage>;
  /** The searched address. */
  email: string | undefined;
  /** The sealed address, as it is in URLs. */
  find: string | undefined;
  isFirst: boolean;
}

function searchForm(email: string | undefined): Html {
  const form = attributes({
    class: 'filters',
    method: 'post',
    role: 'search',
    'aria-label': 'Subscribers',
    action: `${subscribersPath}/find`,
    'data-send': true,
  });
  const input = attributes({
    id: 'subscriber-email',
    name: 'email',
    type: 'search',
    value: email ?? '',
    maxlength: 320,
  });
  return html`<form${form}>
<div class="field"><label for="subscriber-email">E-mail address</label><input${input}></div>
<button type="submit" class="second">Find</button></form>`;
}

const removeForm = (id: string): Html =>
  postForm({
    action: `${subscribersPath}/remove`,
    values: { id },
    button: 'Remove',
    about: `address-${id}`,
    kind: 'danger',
  });

function subscriberTable({ page: { data }, email }: SubscribersView): Html {
  const none =
    email === undefined ? 'Nobody has subscribed yet.' : 'Nobody has subscribed with this address.';
  return table({
    caption: 'Subscribers, newest first',
    columns: ['Address', 'State', 'Asked', actionsColumn('Remove')],
    rows: data.map(({ id, email: address, created_at: asked, confirmed_at: confirmed }) => [
      html`<span id="address-${id}">${address}</span>`,
      confirmed === null ? badge('not confirmed', 'warn') : badge('confirmed', 'good'),
      time(asked),
      removeForm(id),
    ]),
    empty: emptyState({
      text: none,
      link: { href: '/status', text: 'The public page, where people subscribe' },
    }),
  });
}

/** Subscribers to updates by e-mail. */
export function subscribersPage(view: SubscribersView, notice: Html | undefined): ConsolePage {
  const {
    page: { data, next_cursor: next, total },
    email,
    find,
    isFirst,
  } = view;
  const pages = cursorPager({
    path: subscribersPath,
    query: { find },
    isFirst,
    next,
    shown: `${plural(data.length, 'address', 'addresses')} on this page`,
  });
  return {
    section: 'status',
    title: 'Subscribers',
    notice,
    actions: html`<a href="${home}">Status</a>`,
    body: panel({
      id: 'subscribers',
      title: plural(total, 'confirmed address', 'confirmed addresses'),
      body: [searchForm(email), subscriberTable(view), pages],
    }),
  };
}
