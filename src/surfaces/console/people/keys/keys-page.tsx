import { curlEvent } from '../../../../areas/analytics/ingest/curl-commands.ts';
import { Field, FieldSet } from '../../../../platform/ui/components/form.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { type ApiKeyScope, apiKeyScopes } from '../../../../lib/access.ts';
import type {
  ApiKeyPage,
  ApiKeyView,
  CreatedApiKeyView,
} from '../../../../areas/api-keys/schemas.ts';
import type { ConsolePage } from '../../layout.tsx';
import {
  badge,
  copyBlock,
  emptyState,
  errorNotice,
  facts,
  notice,
  panel,
  sentenceOf,
  time,
} from '../../components/elements.tsx';
import { checkbox, confirmForm, field, postForm, select } from '../../components/forms.tsx';
import { cursorPager, tabs } from '../../components/navigation.tsx';
import { actionsColumn, type Row, table } from '../../components/tables.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

export interface KeysView {
  page: ApiKeyPage;
  cursor: string | undefined;
  now: number;
  baseUrl: string;
}

/** A refused form: the error and the typed name. */
interface Refused {
  text: string;
  name: string;
}

const home = sectionPath('keys');
const words = texts.keys;

/** Lifetimes of keys, in days. */
export const lifetimes = [
  ['', words.lifetimes.none],
  ['30', words.lifetimes.month],
  ['90', words.lifetimes.quarter],
  ['365', words.lifetimes.year],
] as const;

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
        {badge(words.revoked)} {time(revoked)}
      </>
    );
  return ends !== null && Date.parse(ends) <= now
    ? badge(words.expired, 'warn')
    : badge(words.active, 'good');
}

const scopeBadge = (scope: ApiKeyScope): Html => (
  <>{badge(scope, scope === 'admin' ? 'info' : 'quiet')}</>
);

function row(key: ApiKeyView, now: number): Row {
  const revokeForm = confirmForm({
    id: `revoke-${key.id}`,
    action: `${home}/${key.id}/revoke`,
    open: words.revoke,
    word: key.name,
    button: words.revokeConfirm,
    warning: words.revokeWarning,
  });
  const made = (
    <span class="hint">{rich(words.created, { time: () => time(key.created_at) })}</span>
  );
  return [
    <>
      {escapeHtml(key.name)}
      <br />
      <code>{escapeHtml(key.hint)}…</code>
      <br />
      {made}
    </>,
    <>{key.scopes.map(scopeBadge)}</>,
    stateOf(key, now),
    time(key.last_used_at),
    time(key.expires_at, words.noExpiry),
    key.revoked_at === null ? revokeForm : undefined,
  ];
}

const noKeys = (baseUrl: string): Html =>
  emptyState({
    text: words.none,
    call:
      `curl -X POST "${baseUrl}/api/v1/api-keys" \\\n` +
      '  -H "authorization: Bearer $ADMIN_API_KEY" -H \'content-type: application/json\' \\\n' +
      '  -d \'{"name":"Nightly import","scopes":["analytics:write"]}\'',
  });

function keyList({ page, cursor, now, baseUrl }: KeysView): Html {
  const { data, next_cursor: next, total } = page;
  if (data.length === 0) return noKeys(baseUrl);
  const { columns } = words;
  const list = table({
    caption: words.caption,
    columns: [
      columns.name,
      columns.scopes,
      columns.status,
      columns.lastUsed,
      columns.expires,
      actionsColumn(texts.actions),
    ],
    rows: data.map((key) => row(key, now)),
  });
  const pages = cursorPager({
    path: home,
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: data.length, total }),
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

function newKeyPanel(refused: Refused | undefined): Html {
  const { create } = words;
  const boxes = apiKeyScopes.map((scope, at) =>
    checkbox({
      id: `scope-${at}`,
      name: `scope.${scope}`,
      value: 'yes',
      label: (
        <>
          <code safe>{scope}</code> {escapeHtml(words.scopes[scope])}
        </>
      ),
    }),
  );
  const inputs = [
    field({
      id: 'name',
      label: create.name,
      hint: create.nameHint,
      value: refused?.name,
      maxLength: 100,
      attributes: { required: true },
    }),
    <FieldSet legend={create.scopes}>{boxes}</FieldSet>,
    select({ id: 'days', label: create.lifetime, options: lifetimes, value: '90' }),
  ];
  return panel({
    id: 'make',
    title: create.title,
    body: postForm({ action: home, inputs, button: create.submit, kind: 'first' }),
  });
}

export interface KeysNotice {
  done?: string | undefined;
  refused?: Refused | undefined;
}

/** The API keys of programs. */
export function keysPage(view: KeysView, { done, refused }: KeysNotice = {}): ConsolePage {
  const sentence = sentenceOf(words.notices, done);
  const doneNotice = sentence === undefined ? undefined : notice(sentence);
  return {
    section: 'keys',
    title: words.title,
    isError: refused !== undefined,
    notice: refused === undefined ? doneNotice : errorNotice(refused.text),
    body: [
      keyTabs('keys'),
      panel({ id: 'keys', title: words.list, body: keyList(view) }),
      newKeyPanel(refused),
    ],
  };
}

/** A call that a key with these scopes may make: it reads, unless the key may only send. */
function exampleCall(scopes: readonly ApiKeyScope[], baseUrl: string): string {
  const header = 'authorization: Bearer $API_KEY';
  if (scopes.includes('analytics:read') || scopes.includes('admin'))
    return `curl -s ${baseUrl}/analytics/sites -H "${header}"`;
  return curlEvent(baseUrl, { event: 'signup', url: '/welcome', site_id: 'example.com' }, [header]);
}

/** The page of a new key, which is shown only once. */
export function newKeyPage(
  { name, key, scopes, expires_at: ends }: CreatedApiKeyView,
  baseUrl: string,
): ConsolePage {
  const page = words.createdKey;
  const about = facts([
    [page.scopes, escapeHtml(scopes.join(', '))],
    [page.expires, time(ends, words.noExpiry)],
  ]);
  return {
    section: 'keys',
    title: page.title,
    actions: (
      <a href={home} safe>
        {page.all}
      </a>
    ),
    notice: notice(page.notice),
    body: panel({
      id: 'key',
      title: name,
      hint: page.hint,
      body: (
        <>
          <div class="copy-text" data-copy>
            <Field
              id="new-key"
              label={page.key}
              value={key}
              attributes={{ readonly: true, class: 'control code-text' }}
            />
          </div>
          {about}
          <p class="hint" safe>
            {page.usage}
          </p>
          {copyBlock(`API_KEY='${key}'\n${exampleCall(scopes, baseUrl)}`)}
        </>
      ),
    }),
  };
}
