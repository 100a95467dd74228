import { curlEvent } from '../../../../areas/analytics/ingest/curl-commands.ts';
import { html, type Html } from '../../../../lib/text/html.ts';
import { type ApiKeyScope, apiKeyScopes } from '../../../../lib/access.ts';
import type {
  ApiKeyPage,
  ApiKeyView,
  CreatedApiKeyView,
} from '../../../../areas/api-keys/schemas.ts';
import type { ConsolePage } from '../../layout.ts';
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
} from '../../components/elements.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.ts';
import { pager, tabs, withQuery } from '../../components/navigation.ts';
import { actionsColumn, table } from '../../components/tables.ts';
import { sectionPath } from '../../sections.ts';

export interface KeysView {
  page: ApiKeyPage;
  cursor: string | undefined;
  now: number;
  baseUrl: string;
}

/** What was typed into the form before it was refused. */
export interface Refused {
  text: string;
  name: string;
}

const home = sectionPath('keys');
const meanings: Readonly<Record<ApiKeyScope, string>> = {
  'analytics:write': 'send events',
  'analytics:read': 'read figures',
  admin: 'everything, also what the others may',
};

/** How long keys may be good for, in days. */
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
  if (revoked !== null) return html`${badge('revoked')} ${time(revoked)}`;
  return ends !== null && Date.parse(ends) <= now
    ? badge('expired', 'warn')
    : badge('works', 'good');
}

function rowOf(key: ApiKeyView, now: number) {
  const {
    id,
    name,
    hint,
    scopes,
    created_at: created,
    last_used_at: used,
    expires_at: ends,
    revoked_at: revoked,
  } = key;
  const revoke = confirmForm({
    id: `revoke-${id}`,
    action: `${home}/${id}/revoke`,
    open: 'Revoke',
    word: name,
    button: 'Revoke for good',
    warning: 'Programs that use it get 401 at once. A revoked key can not be brought back.',
  });
  return [
    html`${name}<br><code>${hint}…</code><br><span class="hint">made ${time(created)}</span>`,
    html`${scopes.map((scope) => html`${badge(scope, scope === 'admin' ? 'info' : 'quiet')} `)}`,
    stateOf(key, now),
    time(used),
    time(ends, 'no end'),
    revoked === null ? revoke : '',
  ];
}

function keyList({
  page: { data, next_cursor: next, total },
  cursor,
  now,
  baseUrl,
}: KeysView): Html {
  if (data.length === 0) {
    return emptyState({
      text: 'There is no key yet. Make the first one here, or by the API:',
      call: `curl -X POST "${baseUrl}/api/v1/api-keys" \\\n  -H "authorization: Bearer $ADMIN_API_KEY" -H 'content-type: application/json' \\\n  -d '{"name":"Nightly import","scopes":["analytics:write"]}'`,
    });
  }
  const columns = [
    ...['Name', 'May', 'State', 'Last used', 'Ends'].map((name) => ({ name })),
    actionsColumn('Change'),
  ];
  const first = cursor === undefined ? undefined : home;
  return html`${table({ caption: 'API keys, the newest first', columns, rows: data.map((key) => rowOf(key, now)) })}
${pager({ first, next: next === null ? undefined : withQuery(home, { cursor: next }), shown: `${count(data.length)} of ${count(total)}, the newest first` })}`;
}

function makeForm(refused: Refused | undefined): Html {
  const boxes = apiKeyScopes.map(
    (scope, at) =>
      html`<div class="check"><input type="checkbox" id="scope-${at}" name="scope.${scope}" value="yes"><label for="scope-${at}"><code>${scope}</code> ${meanings[scope]}</label></div>\n`,
  );
  const inputs = html`${field({ id: 'name', name: 'name', label: 'Name', hint: 'What the key is for: it is all that you will recognise it by.', value: refused?.name ?? '', maxLength: 100, attributes: { required: true } })}
<fieldset><legend>What it may do</legend>\n${boxes}</fieldset>
${select({ id: 'days', name: 'days', label: 'Good for', options: lifetimes, value: '90' })}`;
  return panel({
    id: 'make',
    title: 'Make a key',
    body: postForm({ action: home, inputs, button: 'Make the key', kind: 'first' }),
  });
}

const sentences: Readonly<Record<string, string>> = { revoked: 'The key is revoked.' };

/** The keys of programs. */
export function keysPage(
  view: KeysView,
  { done, refused }: { done?: string | undefined; refused?: Refused | undefined } = {},
): ConsolePage {
  const sentence = sentenceOf(sentences, done);
  const said = sentence === undefined ? undefined : notice(sentence);
  return {
    section: 'keys',
    title: 'API keys',
    isError: refused !== undefined,
    notice: refused === undefined ? said : errorNotice(refused.text),
    body: html`${keyTabs('keys')}${panel({ id: 'keys', title: 'Keys', body: keyList(view) })}${makeForm(refused)}`,
  };
}

/**
 * A call that a key with these scopes may make: it reads where the key may read, and sends where it
 * may only send.
 */
function exampleCall(scopes: readonly ApiKeyScope[], baseUrl: string): string {
  const header = 'authorization: Bearer $API_KEY';
  if (scopes.includes('analytics:read') || scopes.includes('admin'))
    return `curl -s ${baseUrl}/analytics/sites -H "${header}"`;
  return curlEvent(baseUrl, { event: 'signup', url: '/welcome', site_id: 'example.com' }, [header]);
}

/** A key that was just made: the only time that it can be read. */
export function newKeyPage(
  { name, key, scopes, expires_at: ends }: CreatedApiKeyView,
  baseUrl: string,
): ConsolePage {
  const call = `API_KEY='${key}'\n${exampleCall(scopes, baseUrl)}`;
  return {
    section: 'keys',
    title: 'The key is made',
    actions: html`<a href="${home}">All keys</a>`,
    notice: notice('Copy the key now: it is shown this once, and kept nowhere.'),
    body: panel({
      id: 'key',
      title: name,
      hint: 'Copy it, and put it where your program keeps its secrets. Who has it can do what it may.',
      body: html`<div class="field"><label for="new-key">Key</label><div data-copy><input id="new-key" type="text" value="${key}" readonly autocomplete="off" class="secret"></div></div>
${facts([
  ['May', scopes.join(', ')],
  ['Ends', time(ends, 'no end')],
])}
<p class="hint">Programs send it like this:</p>
${copyBlock(call)}`,
    }),
  };
}
