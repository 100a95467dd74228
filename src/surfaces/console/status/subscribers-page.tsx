import type { z } from 'zod';
import { ConsoleForm } from '../components/console-form.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { type Html } from '../../../lib/text/html.ts';
import type { SubscriberPage } from '../../../areas/status/subscriptions/schemas.subscribers.ts';
import type { ConsolePage } from '../layout.tsx';
import { badge, emptyState, panel, time } from '../components/elements.tsx';
import { cursorPager } from '../components/navigation.tsx';
import { postForm } from '../components/forms.tsx';
import { actionsColumn, table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const words = texts.subscribers;

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
  return (
    <ConsoleForm
      action={`${subscribersPath}/find`}
      isInline
      submit={{ label: words.find, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': words.search }}
    >
      <Field
        id="subscriber-email"
        name="email"
        type="search"
        label={words.email}
        value={email}
        maxLength={320}
      />
    </ConsoleForm>
  );
}

const removeForm = (id: string): Html =>
  postForm({
    action: `${subscribersPath}/remove`,
    values: { id },
    button: words.remove,
    about: `address-${id}`,
    kind: 'danger',
  });

function subscriberTable({ page: { data }, email }: SubscribersView): Html {
  const { columns } = words;
  const none = email === undefined ? words.none : words.noMatch;
  return table({
    caption: words.caption,
    columns: [columns.email, columns.status, columns.subscribed, actionsColumn(columns.actions)],
    rows: data.map(({ id, email: address, created_at: asked, confirmed_at: confirmed }) => [
      <span id={`address-${id}`} safe>
        {address}
      </span>,
      confirmed === null
        ? badge(words.statusPending, 'warn')
        : badge(words.statusConfirmed, 'good'),
      time(asked),
      removeForm(id),
    ]),
    empty: emptyState({
      text: none,
      link: { href: '/status', text: words.publicPage },
    }),
  });
}

/** Subscribers to updates by email. */
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
    shown: words.shown({ count: data.length }),
  });
  return {
    section: 'status',
    title: words.title,
    notice,
    actions: (
      <a href={home} safe>
        {texts.back}
      </a>
    ),
    body: panel({
      id: 'subscribers',
      title: words.confirmed({ count: total }),
      body: [searchForm(email), subscriberTable(view), pages],
    }),
  };
}
