import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Ago } from '../../../../platform/ui/time.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { ApiKeyPage, ApiKeyView } from '../../../../areas/api-keys/schemas.ts';
import type { ConsolePage } from '../../layout.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { cursorPager, tabs } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import { scopeBadge } from './key-pages.tsx';

export interface KeysView {
  page: ApiKeyPage;
  cursor: string | undefined;
  now: number;
  baseUrl: string;
}

const home = sectionPath('keys');
const words = texts.keys;

/** The pages of this section. */
export const keyTabs = (now: 'keys' | 'webhook'): Html =>
  tabs(words.tabs, [
    { href: home, text: words.title, isCurrent: now === 'keys' },
    { href: `${home}/webhook`, text: words.webhookTab, isCurrent: now === 'webhook' },
  ]);

function stateOf({ revoked_at: revoked, expires_at: ends }: ApiKeyView, now: number): Html {
  if (revoked !== null)
    return (
      <>
        <Badge text={words.revoked} /> <Ago at={revoked} now={now} />
      </>
    );
  return ends !== null && Date.parse(ends) <= now ? (
    <Badge text={words.expired} tone="warn" />
  ) : (
    <Badge text={words.active} tone="ok" />
  );
}

const nameCell = ({ id, name, hint, created_at: created }: ApiKeyView, now: number): Html => (
  <>
    <span id={`key-${id}`}>{escapeHtml(name)}</span>
    <span class="hint">
      <code>{escapeHtml(hint)}…</code> ·{' '}
      {rich(words.created, { time: () => <Ago at={created} now={now} /> })}
    </span>
  </>
);

const revokeLink = ({ id }: ApiKeyView): Html => (
  <DrawerLink
    label={words.revoke}
    href={`${home}/${id}/revoke`}
    kind="ghost"
    size="small"
    about={`key-${id}`}
  />
);

function keyColumns(now: number): Column<ApiKeyView>[] {
  const { columns } = words;
  return [
    { title: columns.name, cell: (key) => nameCell(key, now) },
    { title: columns.scopes, cell: ({ scopes }) => scopes.map(scopeBadge) },
    { title: columns.status, cell: (key) => stateOf(key, now) },
    {
      title: columns.lastUsed,
      cell: ({ last_used_at: at }) =>
        at === null ? escapeHtml(consoleTexts.time.never) : <Ago at={at} now={now} />,
    },
    {
      title: columns.expires,
      cell: ({ expires_at: at }) => <OptionalTime at={at} none={words.noExpiry} />,
    },
    {
      title: texts.actions,
      cell: (key) => key.revoked_at === null && revokeLink(key),
      isTitleHidden: true,
    },
  ];
}

const noKeys = (baseUrl: string): Html => (
  <EmptyState icon="list" text={words.none}>
    <Copy
      label={consoleTexts.copy}
      text={
        `curl -X POST "${baseUrl}/api/v1/api-keys" \\\n` +
        '  -H "authorization: Bearer $ADMIN_API_KEY" -H \'content-type: application/json\' \\\n' +
        '  -d \'{"name":"Nightly import","scopes":["analytics:write"]}\''
      }
    />
  </EmptyState>
);

/** Whether nobody can use the key any more. */
const isOld = ({ revoked_at: revoked, expires_at: ends }: ApiKeyView, now: number): boolean =>
  revoked !== null || (ends !== null && Date.parse(ends) <= now);

function keysPanel({ page, cursor, now, baseUrl }: KeysView): Html {
  const { data, next_cursor: next, total } = page;
  const old = data.filter((key) => isOld(key, now));
  const pager = {
    path: home,
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: data.length, total }),
  };
  return (
    <Card id="keys" title={words.list}>
      <Table
        caption={words.caption}
        columns={keyColumns(now)}
        rows={data.filter((key) => !isOld(key, now))}
        empty={noKeys(baseUrl)}
      />
      {old.length > 0 && (
        <Disclosure id="old-keys" summary={words.old({ count: old.length })}>
          <Table caption={words.oldCaption} columns={keyColumns(now)} rows={old} />
        </Disclosure>
      )}
      {data.length > 0 && cursorPager(pager)}
    </Card>
  );
}

/** The API keys of programs. */
export const keysPage = (view: KeysView, done: string | undefined): ConsolePage => ({
  section: 'keys',
  title: words.title,
  notice: doneNotice(words.notices, done),
  actions: (
    <DrawerLink label={words.create.submit} href={`${home}/new`} icon="plus" kind="primary" />
  ),
  body: [keyTabs('keys'), keysPanel(view)],
});
