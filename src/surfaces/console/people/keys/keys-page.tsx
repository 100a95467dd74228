import { curlEvent } from '../../../../areas/analytics/ingest/curl-commands.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { type ApiKeyScope, apiKeyScopes } from '../../../../lib/access.ts';
import type {
  ApiKeyPage,
  ApiKeyView,
  CreatedApiKeyView,
} from '../../../../areas/api-keys/schemas.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
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
const meanings: Readonly<Record<ApiKeyScope, string>> = {
  'analytics:write': 'send events',
  'analytics:read': 'read figures',
  admin: 'everything, also what the others may',
};

/** Lifetimes of keys, in days. */
export const lifetimes = [
  ['', 'No end'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const;

/** The pages of this section. */
export const keyTabs = (now: 'keys' | 'webhook'): Html =>
  tabs('Keys and webhooks', [
    { href: home, text: 'API keys', isCurrent: now === 'keys' },
    { href: `${home}/webhook`, text: 'Payment webhook', isCurrent: now === 'webhook' },
  ]);

function stateOf({ revoked_at: revoked, expires_at: ends }: ApiKeyView, now: number): Html {
  if (revoked !== null)
    return (
      <>
        {badge('revoked')} {time(revoked)}
      </>
    );
  return ends !== null && Date.parse(ends) <= now
    ? badge('expired', 'warn')
    : badge('works', 'good');
}

const sentences: Readonly<Record<string, string>> = { revoked: 'The key is revoked.' };

const scopeBadge = (scope: ApiKeyScope): Html => (
  <>{badge(scope, scope === 'admin' ? 'info' : 'quiet')}</>
);

function row(key: ApiKeyView, now: number): Row {
  const revokeForm = confirmForm({
    id: `revoke-${key.id}`,
    action: `${home}/${key.id}/revoke`,
    open: 'Revoke',
    word: key.name,
    button: 'Revoke for good',
    warning: 'Programs that use it get 401 at once. A revoked key can not be brought back.',
  });
  const made = <span class="hint">made {time(key.created_at)}</span>;
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
    time(key.expires_at, 'no end'),
    key.revoked_at === null ? revokeForm : undefined,
  ];
}

const noKeys = (baseUrl: string): Html =>
  emptyState({
    text: 'There is no key yet. Make the first one here, or by the API:',
    call:
      `curl -X POST "${baseUrl}/api/v1/api-keys" \\\n` +
      '  -H "authorization: Bearer $ADMIN_API_KEY" -H \'content-type: application/json\' \\\n' +
      '  -d \'{"name":"Nightly import","scopes":["analytics:write"]}\'',
  });

function keyList({ page, cursor, now, baseUrl }: KeysView): Html {
  const { data, next_cursor: next, total } = page;
  if (data.length === 0) return noKeys(baseUrl);
  const list = table({
    caption: 'API keys, the newest first',
    columns: ['Name', 'May', 'State', 'Last used', 'Ends', actionsColumn('Change')],
    rows: data.map((key) => row(key, now)),
  });
  const pages = cursorPager({
    path: home,
    isFirst: cursor === undefined,
    next,
    shown: `${count(data.length)} of ${count(total)}, the newest first`,
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

function newKeyPanel(refused: Refused | undefined): Html {
  const boxes = apiKeyScopes.map((scope, at) =>
    checkbox({
      id: `scope-${at}`,
      name: `scope.${scope}`,
      value: 'yes',
      label: (
        <>
          <code safe>{scope}</code> {escapeHtml(meanings[scope])}
        </>
      ),
    }),
  );
  const inputs = [
    field({
      id: 'name',
      label: 'Name',
      hint: 'What the key is for: it is all that you will recognise it by.',
      value: refused?.name,
      maxLength: 100,
      attributes: { required: true },
    }),
    <fieldset>
      <legend>What it may do</legend>
      {boxes}
    </fieldset>,
    select({ id: 'days', label: 'Good for', options: lifetimes, value: '90' }),
  ];
  return panel({
    id: 'make',
    title: 'Make a key',
    body: postForm({ action: home, inputs, button: 'Make the key', kind: 'first' }),
  });
}

export interface KeysNotice {
  done?: string | undefined;
  refused?: Refused | undefined;
}

/** The API keys of programs. */
export function keysPage(view: KeysView, { done, refused }: KeysNotice = {}): ConsolePage {
  const sentence = sentenceOf(sentences, done);
  const doneNotice = sentence === undefined ? undefined : notice(sentence);
  return {
    section: 'keys',
    title: 'API keys',
    isError: refused !== undefined,
    notice: refused === undefined ? doneNotice : errorNotice(refused.text),
    body: [
      keyTabs('keys'),
      panel({ id: 'keys', title: 'Keys', body: keyList(view) }),
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
  const input = {
    id: 'new-key',
    type: 'text',
    value: key,
    readonly: true,
    autocomplete: 'off',
    class: 'secret',
  };
  const about = facts([
    ['May', escapeHtml(scopes.join(', '))],
    ['Ends', time(ends, 'no end')],
  ]);
  return {
    section: 'keys',
    title: 'The key is made',
    actions: <a href={home}>All keys</a>,
    notice: notice('Copy the key now: it is shown this once, and kept nowhere.'),
    body: panel({
      id: 'key',
      title: name,
      hint:
        'Copy it, and put it where your program keeps its secrets. ' +
        'Who has it can do what it may.',
      body: (
        <>
          <div class="field">
            <label for="new-key">Key</label>
            <div data-copy>
              <input {...input} />
            </div>
          </div>
          {about}
          <p class="hint">Programs send it like this:</p>
          {copyBlock(`API_KEY='${key}'\n${exampleCall(scopes, baseUrl)}`)}
        </>
      ),
    }),
  };
}
