import { z } from 'zod';
import { curlEvent, keyHeader } from '../../../../areas/analytics/ingest/curl-commands.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState, Toast } from '../../../../platform/ui/components/feedback.tsx';
import { CheckField, Field, FieldSet } from '../../../../platform/ui/components/form.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { type ApiKeyScope, apiKeyScopes } from '../../../../lib/access.ts';
import {
  type ApiKeyPage,
  type ApiKeyView,
  CreateApiKeyBody,
  type CreatedApiKeyView,
} from '../../../../areas/api-keys/schemas.ts';
import type { ConsolePage } from '../../layout.tsx';
import { ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { cursorPager, tabs, textLink } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

export interface KeysView {
  page: ApiKeyPage;
  cursor: string | undefined;
  now: number;
  baseUrl: string;
}

const home = sectionPath('keys');
const words = texts.keys;

/** The form for a new key. Its scopes are fields `scope.…`. */
export const NewKeyForm = z.object({
  name: CreateApiKeyBody.shape.name,
  days: z.enum(['30', '90', '365']).nullable().default('90'),
});

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
        <Badge text={words.revoked} /> <Time at={revoked} />
      </>
    );
  return ends !== null && Date.parse(ends) <= now ? (
    <Badge text={words.expired} tone="warn" />
  ) : (
    <Badge text={words.active} tone="ok" />
  );
}

const nameCell = ({ name, hint, created_at: created }: ApiKeyView): Html => (
  <>
    {escapeHtml(name)}
    <br />
    <code>{escapeHtml(hint)}…</code>
    <br />
    <span class="hint">{rich(words.created, { time: () => <Time at={created} /> })}</span>
  </>
);

const scopeBadge = (scope: ApiKeyScope): Html => (
  <Badge text={scope} tone={scope === 'admin' ? 'info' : 'neutral'} />
);

const revokeForm = ({ id, name }: ApiKeyView): Html => (
  <ConfirmForm
    id={`revoke-${id}`}
    action={`${home}/${id}/revoke`}
    open={words.revoke}
    word={name}
    warning={words.revokeWarning}
    submit={words.revokeConfirm}
  />
);

function keyColumns(now: number): Column<ApiKeyView>[] {
  const { columns } = words;
  return [
    { title: columns.name, cell: nameCell },
    { title: columns.scopes, cell: ({ scopes }) => scopes.map(scopeBadge) },
    { title: columns.status, cell: (key) => stateOf(key, now) },
    { title: columns.lastUsed, cell: ({ last_used_at: at }) => <OptionalTime at={at} /> },
    {
      title: columns.expires,
      cell: ({ expires_at: at }) => <OptionalTime at={at} none={words.noExpiry} />,
    },
    {
      title: texts.actions,
      cell: (key) => key.revoked_at === null && revokeForm(key),
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

function keysPanel({ page, cursor, now, baseUrl }: KeysView): Html {
  const { data, next_cursor: next, total } = page;
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
        rows={data}
        empty={noKeys(baseUrl)}
      />
      {data.length > 0 && cursorPager(pager)}
    </Card>
  );
}

const scopeField = (scope: ApiKeyScope, at: number): Html => (
  <CheckField
    id={`scope-${at}`}
    name={`scope.${scope}`}
    value="yes"
    label={scope}
    content={
      <>
        <code safe>{scope}</code> {escapeHtml(words.scopes[scope])}
      </>
    }
  />
);

function newKeyPanel(): Html {
  const { create } = words;
  const field = fieldsOf(NewKeyForm, { idPrefix: 'key', texts: create });
  return (
    <Card id="make" title={create.title}>
      <ConsoleForm action={home} submit={{ label: create.submit }}>
        {field('name')}
        <FieldSet legend={create.scopes}>{apiKeyScopes.map(scopeField)}</FieldSet>
        {field('days')}
      </ConsoleForm>
    </Card>
  );
}

/** The API keys of programs. */
export const keysPage = (view: KeysView, done: string | undefined): ConsolePage => ({
  section: 'keys',
  title: words.title,
  notice: doneNotice(words.notices, done),
  body: [keyTabs('keys'), keysPanel(view), newKeyPanel()],
});

/** A call that a key with these scopes may make: it reads, unless the key may only send. */
function exampleCall(scopes: readonly ApiKeyScope[], baseUrl: string): string {
  const header = keyHeader;
  if (scopes.includes('analytics:read') || scopes.includes('admin'))
    return `curl -s ${baseUrl}/analytics/sites -H "${header}"`;
  return curlEvent(baseUrl, { event: 'signup', url: '/welcome', site_id: 'example.com' }, header);
}

/** The page of a new key, which is shown only once. */
export function newKeyPage(
  { name, key, scopes, expires_at: ends }: CreatedApiKeyView,
  baseUrl: string,
): ConsolePage {
  const page = words.createdKey;
  return {
    section: 'keys',
    title: page.title,
    actions: textLink(home, page.all),
    notice: <Toast text={page.notice} />,
    body: (
      <Card id="key" title={name} hint={page.hint}>
        <div class="copy-text" data-copy>
          <Field
            id="new-key"
            label={page.key}
            value={key}
            attributes={{ readonly: true, class: 'control code-text' }}
          />
        </div>
        <Facts
          facts={[
            { name: page.scopes, value: escapeHtml(scopes.join(', ')) },
            { name: page.expires, value: <OptionalTime at={ends} none={words.noExpiry} /> },
          ]}
        />
        <p class="hint" safe>
          {page.usage}
        </p>
        <Copy
          text={`API_KEY='${key}'\n${exampleCall(scopes, baseUrl)}`}
          label={consoleTexts.copy}
        />
      </Card>
    ),
  };
}
