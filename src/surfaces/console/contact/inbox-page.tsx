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
import { SelectField } from '../../../platform/ui/components/form.tsx';
import { Copy, Menu } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Ago } from '../../../platform/ui/time.tsx';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { type AppliedFilter, ListTools } from '../components/list-tools.tsx';
import { cursorPager, tabs, textLink, withQuery } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import { Person } from '../people/person.tsx';
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
  /** Unix ms. */
  now: number;
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

/** What nobody has read yet stands out. */
const subjectLink = (message: ContactMessageView): Html => {
  const subject = <bdi safe>{subjectOf(message)}</bdi>;
  return (
    <a class="row-link" href={threadPath(message.id)}>
      {message.status === 'new' ? <strong>{subject}</strong> : subject}
    </a>
  );
};

const columns = ({ names, now }: InboxView): Column<ContactMessageView>[] => [
  {
    title: inbox.columns.from,
    cell: ({ id, name, email }) => (
      <div class="pick">
        <RowCheck list={listId} name="message[]" value={id} labelledBy={`from-${id}`} />
        <Person name={name} detail={email} id={`from-${id}`} />
      </div>
    ),
  },
  {
    title: inbox.columns.message,
    cell: (message) => (
      <>
        {subjectLink(message)}
        <p class="hint extract" dir="auto" safe>
          {extractOf(message)}
        </p>
      </>
    ),
    isWide: true,
  },
  { title: inbox.columns.status, cell: ({ status }) => statusBadge(status) },
  {
    title: inbox.columns.assignee,
    cell: ({ assignee_id: id }) => assigneeCell(id, names),
    isMinor: true,
  },
  { title: inbox.columns.at, cell: ({ created_at: at }) => <Ago at={at} now={now} /> },
];

function assigneeCell(id: string | null, names: UserNames): Html {
  const name = id === null ? undefined : names.get(id);
  return name === undefined ? <>–</> : <Person name={name} />;
}

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
  const { page, query, cursor } = view;
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
          columns={columns(view)}
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

function appliedFilters({ query, text, admins }: InboxView): AppliedFilter[] {
  const { assignee, find, status } = query;
  const assigned = admins.find(([id]) => id === assignee)?.[1];
  return [
    ...(text === undefined
      ? []
      : [{ text: inbox.quoted({ text }), href: withQuery(inboxPath, { status, assignee }) }]),
    ...(assignee === undefined
      ? []
      : [
          {
            text: inbox.isAssigned({ to: assigned ?? shared.list.filters }),
            href: withQuery(inboxPath, { status, find }),
          },
        ]),
  ];
}

/** Search and filters, as every list has them. */
const tools = (view: InboxView): Html => (
  <ListTools
    action={`${inboxPath}/find`}
    values={{ status: view.query.status }}
    search={inbox.search}
    text={view.text}
    filters={
      <SelectField
        id="assignee"
        label={inbox.assignee}
        options={[['', inbox.anyone], ...view.admins]}
        value={view.query.assignee}
      />
    }
    applied={appliedFilters(view)}
  />
);

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
      <Menu id="inbox-menu" label={inbox.more} isIconOnly items={[view.exportLinks]} />
      <Button label={inbox.savedReplies} href={resourcePath(savedReplyResource)} />
    </>
  ),
  body: (
    <>
      <div id="statuses" data-live>
        {statusTabs(view)}
      </div>
      {tools(view)}
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
