import type { z } from 'zod';
import { type Html } from '../../../lib/text/html.ts';
import type { SubscriberPage } from '../../../areas/status/subscriptions/schemas.subscribers.ts';
import type { ConsolePage } from '../layout.tsx';
import { plural } from '../components/number-format.ts';
import { badge, emptyState, panel, time } from '../components/elements.tsx';
import { cursorPager } from '../components/navigation.tsx';
import { postForm } from '../components/forms.tsx';
import { actionsColumn, table } from '../components/tables.tsx';
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
  const form = {
    class: 'filters',
    method: 'post',
    role: 'search',
    'aria-label': 'Subscribers',
    action: `${subscribersPath}/find`,
    'data-send': true,
  };
  const input = {
    id: 'subscriber-email',
    name: 'email',
    type: 'search',
    value: email ?? '',
    maxlength: 320,
  };
  return (
    <form {...form}>
      <div class="field">
        <label for="subscriber-email">E-mail address</label>
        <input {...input} />
      </div>
      <button type="submit" class="second">
        Find
      </button>
    </form>
  );
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
      <span id={`address-${id}`} safe>
        {address}
      </span>,
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
    actions: <a href={home}>Status</a>,
    body: panel({
      id: 'subscribers',
      title: plural(total, 'confirmed address', 'confirmed addresses'),
      body: [searchForm(email), subscriberTable(view), pages],
    }),
  };
}
