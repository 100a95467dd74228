import { type Html } from '../../../lib/text/html.ts';
import { savedReplyResource } from '../../../areas/contact/resource.ts';
import type { ContactMessageView } from '../../../areas/contact/schemas.ts';
import { type ContactStatus, contactStatuses } from '../../../areas/contact/statuses.ts';
import { texts as words } from '../../../areas/contact/texts/en.ts';
import type { ResourcePage } from '../../../platform/resource/resource.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState, Toast, type ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { Field, SelectField } from '../../../platform/ui/components/form.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { cursorPager, tabs, textLink, withQuery } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { UserNames } from '../people/user-names.ts';
import { resourcePath } from '../resources/resource-paths.ts';
import { texts as shared } from '../texts/en.ts';
import { inboxPath, threadPath } from './contact-paths.ts';
import { texts } from './texts/en.ts';

export type Admin = readonly [id: string, name: string];

export interface InboxView {
  /** As in the page's URL. */
  query: {
    status?: ContactStatus | undefined;
    assignee?: string | undefined;
    find?: string | undefined;
  };
  /** The search text; sealed in `query`. */
  text: string | undefined;
  cursor: string | undefined;
  page: ResourcePage<ContactMessageView>;
  counts: ReadonlyMap<ContactStatus, number>;
  admins: readonly Admin[];
  names: UserNames;
  exportLinks: Html;
  baseUrl: string;
}

const { inbox } = texts;
const listId = 'inbox';

const tones: Readonly<Record<ContactStatus, Tone>> = {
  new: 'info',
  open: 'warn',
  replied: 'ok',
  closed: 'neutral',
  spam: 'bad',
};

export const statusBadge = (status: ContactStatus): Html => (
  <Badge text={words.messages.values.status[status]} tone={tones[status]} />
);

const subjectOf = ({ subject }: ContactMessageView): string =>
  subject === '' ? inbox.noSubject : subject;

const extractLength = 120;
const extractOf = ({ message }: ContactMessageView): string =>
  message.length <= extractLength ? message : `${message.slice(0, extractLength).toWellFormed()}…`;

const columns = (names: UserNames): Column<ContactMessageView>[] => [
  {
    title: inbox.columns.from,
    cell: ({ id, name, email }) => (
      <label class="pick">
        <RowCheck list={listId} name="message[]" value={id} />
        <span>
          <bdi safe>{name}</bdi>
          <span class="hint cell-minor" safe>
            {email}
          </span>
        </span>
      </label>
    ),
  },
  {
    title: inbox.columns.message,
    cell: (message) => (
      <>
        <a href={threadPath(message.id)}>
          <bdi safe>{subjectOf(message)}</bdi>
        </a>
        <p class="hint cell-minor" dir="auto" safe>
          {extractOf(message)}
        </p>
      </>
    ),
  },
  { title: inbox.columns.status, cell: ({ status }) => statusBadge(status) },
  {
    title: inbox.columns.assignee,
    text: ({ assignee_id: id }) => (id === null ? inbox.nobody : (names.get(id) ?? id)),
    isMinor: true,
  },
  { title: inbox.columns.at, cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
];

/** Buttons for the selected messages. */
const bulkActions = (): Html => {
  const button = (action: 'close' | 'open' | 'spam' | 'delete') => (
    <Button
      label={inbox.actions[action]}
      size="small"
      attributes={{ name: 'action', value: action }}
    />
  );
  return (
    <>
      {button('close')}
      {button('open')}
      {button('spam')}
      {button('delete')}
    </>
  );
};

const isFiltered = ({ query, text }: InboxView): boolean =>
  text !== undefined || query.status !== undefined || query.assignee !== undefined;

const emptyState = (view: InboxView): Html =>
  isFiltered(view) ? (
    <EmptyState
      icon="search"
      text={inbox.noMatch}
      action={<Button label={inbox.clear} href={inboxPath} />}
    />
  ) : (
    <EmptyState icon="mail" text={inbox.none}>
      <Copy
        label={shared.copy}
        text={`curl "${view.baseUrl}/api/v1/contact/messages" -H "authorization: Bearer $API_KEY"`}
      />
    </EmptyState>
  );

function list(view: InboxView): Html {
  const { page, names, query, cursor } = view;
  if (page.data.length === 0) return emptyState(view);
  return (
    <>
      <BulkList
        id={listId}
        action={`${inboxPath}/bulk`}
        values={{ status: query.status ?? '' }}
        actions={bulkActions()}
      >
        <Table
          caption={inbox.caption}
          columns={columns(names)}
          rows={page.data}
          rowId={({ id }) => `row-${id}`}
        />
      </BulkList>
      {cursorPager({
        path: inboxPath,
        query,
        isFirst: cursor === undefined,
        next: page.next_cursor,
        shown: inbox.shown({ count: page.data.length }),
      })}
    </>
  );
}

function filterForm({ query, text, admins }: InboxView): Html {
  return (
    <ConsoleForm
      action={`${inboxPath}/find`}
      isInline
      values={{ status: query.status }}
      submit={{ label: inbox.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': inbox.filters }}
    >
      <Field id="text" label={inbox.search} type="search" value={text} />
      <SelectField
        id="assignee"
        label={inbox.assignee}
        options={[['', inbox.anyone], ...admins]}
        value={query.assignee}
      />
    </ConsoleForm>
  );
}

function statusTabs({ query, counts }: InboxView): Html {
  const { status: current, ...filters } = query;
  const all = { href: withQuery(inboxPath, filters), text: inbox.all };
  return tabs(inbox.tabs, [
    { ...all, isCurrent: current === undefined },
    ...contactStatuses.map((status) => ({
      href: withQuery(inboxPath, { ...filters, status }),
      text: inbox.tab({
        status: words.messages.values.status[status],
        count: counts.get(status) ?? 0,
      }),
      isCurrent: status === current,
    })),
  ]);
}

/** The messages of the contact form, with filters and actions for several of them. */
export const inboxPage = (view: InboxView, notice: ToastOptions | undefined): ConsolePage => ({
  section: 'contact',
  title: inbox.title,
  notice: notice && <Toast {...notice} />,
  channels: ['contact'],
  every: 60,
  actions: (
    <>
      {view.exportLinks}
      <Button label={inbox.savedReplies} href={resourcePath(savedReplyResource)} size="small" />
    </>
  ),
  body: (
    <>
      <div id="statuses" data-live>
        {statusTabs(view)}
      </div>
      {filterForm(view)}
      <Card id="messages" title={inbox.caption} isLive>
        {list(view)}
      </Card>
    </>
  ),
});

/** Asks for confirmation before messages are deleted. */
export function deletePage(ids: readonly string[], status: string | undefined): ConsolePage {
  const { confirm } = texts;
  const count = ids.length;
  return {
    section: 'contact',
    title: confirm.title({ count }),
    actions: textLink(withQuery(inboxPath, { status }), confirm.back),
    body: (
      <Card id="delete" title={confirm.title({ count })} hint={confirm.warning}>
        <ConsoleForm
          action={`${inboxPath}/bulk`}
          values={{ status, action: 'delete', confirm: String(count), 'message[]': ids }}
          submit={{ label: confirm.submit({ count }), kind: 'danger' }}
        />
      </Card>
    ),
  };
}
