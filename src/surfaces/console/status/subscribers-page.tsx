import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { SubscriberPage } from '../../../areas/status/subscriptions/schemas.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import type { ExportColumns } from '../../../platform/resource/list-file.ts';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { ActionButton } from '../components/console-form.tsx';
import { ListTools } from '../components/list-tools.tsx';
import { exportLinks } from '../list-export.tsx';
import { cursorPager } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const words = texts.subscribers;

export const subscribersPath = `${home}/subscribers`;

type Page = z.output<typeof SubscriberPage>;

export interface SubscribersView {
  page: Page;
  /** The searched address. */
  email: string | undefined;
  /** The sealed address, as it is in URLs. */
  find: string | undefined;
  isFirst: boolean;
}

const columns: readonly Column<Page['data'][number]>[] = [
  {
    title: words.columns.email,
    cell: ({ id, email, confirmed_at: confirmed }) => (
      <>
        <span id={`address-${id}`}>{escapeHtml(email)}</span>{' '}
        {confirmed === null && <Badge text={words.statusPending} tone="warn" />}
      </>
    ),
  },
  { title: words.columns.subscribed, cell: ({ created_at: asked }) => <Time at={asked} /> },
  {
    title: words.columns.actions,
    cell: ({ id }) => (
      <ActionButton
        action={`${subscribersPath}/remove`}
        values={{ id }}
        label={words.remove}
        about={`address-${id}`}
        kind="ghost"
      />
    ),
    isTitleHidden: true,
    isNumber: true,
  },
];

/** The columns of an export. */
export const subscriberColumns: ExportColumns<Page['data'][number]> = [
  ['email', ({ email }) => email],
  ['subscribed_at', ({ created_at: at }) => at],
  ['confirmed_at', ({ confirmed_at: at }) => at],
];

/** Subscribers to updates by email. */
export function subscribersPage(view: SubscribersView, notice: Html | undefined): ConsolePage {
  const {
    page: { data, next_cursor: next, total },
    email,
    find,
    isFirst,
  } = view;
  const none = (
    <EmptyState
      icon="list"
      text={email === undefined ? words.none : words.noMatch}
      action={<Button label={words.publicPage} href="/status" />}
    />
  );
  return {
    section: 'status',
    title: words.title,
    notice,
    breadcrumbs: [{ href: home, text: texts.title }],
    actions: total === 0 ? undefined : exportLinks(subscribersPath, { find }),
    body: (
      <Card id="subscribers" title={words.confirmed({ count: total })}>
        <ListTools action={`${subscribersPath}/find`} search={words.email} text={email} />
        <Table caption={words.caption} columns={columns} rows={data} empty={none} />
        {(!isFirst || next !== null) &&
          cursorPager({
            path: subscribersPath,
            query: { find },
            isFirst,
            next,
            shown: words.shown({ count: data.length }),
          })}
      </Card>
    ),
  };
}
