import { html, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { entryTable } from './audit-table.ts';
import type { UserNames } from '../user-names.ts';
import type { ConsolePage } from '../../layout.ts';
import type { Cell } from '../../../../lib/text/csv.ts';
import { plural } from '../../components/number-format.ts';
import { select, field } from '../../components/forms.ts';
import { emptyState, panel } from '../../components/elements.ts';
import { pager, withQuery } from '../../components/navigation.ts';
import { sectionPath } from '../../sections.ts';

/**
 * The filters, as the address of the page has them. Instants are UTC, without a zone:
 * `2026-05-04T09:30`.
 */
export interface AuditFilters {
  action?: string | undefined;
  actor_id?: string | undefined;
  target_id?: string | undefined;
  outcome?: 'success' | 'failure' | 'denied' | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export interface AuditView {
  entries: readonly AuditEventView[];
  next: string | null;
  filters: AuditFilters;
  cursor: string | undefined;
  /** Of the people in the entries. */
  names: UserNames;
  /** All actions and what they mean. */
  actions: Readonly<Record<string, string>>;
}

const home = sectionPath('audit');

/** Actions below their groups. */
function actionChoice(actions: AuditView['actions'], value: string | undefined): Html {
  const groups = [...new Set(Object.keys(actions).map((name) => name.replace(/\..*$/, '')))].sort();
  const option = (name: string, text: string, title?: string) =>
    html`<option value="${name}"${name === value ? html` selected` : undefined}${title === undefined ? undefined : html` title="${title}"`}>${text}</option>`;
  const namesOf = (group: string) =>
    Object.keys(actions).filter((name) => name.startsWith(`${group}.`));
  return html`<div class="field"><label for="action">Action</label><select id="action" name="action">${option('', 'Any')}${groups.map(
    (group) => html`
<optgroup label="${group.replaceAll('_', ' ')}">${option(`${group}.*`, `${group}: all`)}${namesOf(group).map((name) => option(name, name, actions[name]))}</optgroup>`,
  )}</select></div>\n`;
}

function filterForm({
  filters: { action, actor_id: actor, target_id: target, outcome, since, until },
  actions,
}: AuditView): Html {
  const instant = (id: 'since' | 'until', label: string, value: string | undefined) =>
    field({ id, name: id, label, type: 'datetime-local', value: value ?? '' });
  return html`<form class="filters" method="get" action="${home}" role="search" aria-label="Audit log">
${actionChoice(actions, action)}${field({ id: 'actor_id', name: 'actor_id', label: 'Id of who did it', value: actor ?? '', maxLength: 256 })}${field({ id: 'target_id', name: 'target_id', label: 'Id of what it was done to', value: target ?? '', maxLength: 256 })}
${select({
  id: 'outcome',
  name: 'outcome',
  label: 'Outcome',
  options: [
    ['', 'Any'],
    ['success', 'Success'],
    ['failure', 'Failure'],
    ['denied', 'Denied'],
  ],
  value: outcome ?? '',
})}
${instant('since', 'Since (UTC)', since)}${instant('until', 'Until (UTC)', until)}
<button type="submit">Filter</button>
</form>
`;
}

const filterNames: Readonly<Record<keyof AuditFilters, string>> = {
  action: 'Action',
  actor_id: 'Done by',
  target_id: 'Done to',
  outcome: 'Outcome',
  since: 'Since',
  until: 'Until',
};
const filterKeys = [
  'action',
  'actor_id',
  'target_id',
  'outcome',
  'since',
  'until',
] as const satisfies readonly (keyof AuditFilters)[];

/** The filters in effect; a click takes one away. */
function chips(filters: AuditFilters, names: UserNames): Html | undefined {
  const held = filterKeys.flatMap((key) =>
    filters[key] === undefined ? [] : [{ key, value: filters[key] }],
  );
  if (held.length === 0) return undefined;
  return html`<nav aria-label="Filters"><ul class="chips">${held.map(({ key, value }) => html`<li><a href="${withQuery(home, { ...filters, [key]: undefined })}"><span class="spoken">Take away:</span> ${filterNames[key]} ${names.get(value) ?? value}</a></li>`)}</ul></nav>\n`;
}

function listOf(view: AuditView): Html {
  const { entries, next, filters, cursor } = view;
  if (entries.length === 0) {
    return filterKeys.some((key) => filters[key] !== undefined)
      ? emptyState({
          text: 'No entry fits these filters. Entries are kept for 400 days.',
          link: { href: home, text: 'Show all entries' },
        })
      : emptyState({
          text: 'Nothing was written yet. Whatever changes something appears here; programs read it so:',
          call: 'curl "$BASE_URL/api/v1/audit" -H "authorization: Bearer $ADMIN_API_KEY"',
        });
  }
  return html`${entryTable({ ...view, caption: 'Audit log, the newest first' })}
${pager({ first: cursor === undefined ? undefined : withQuery(home, { ...filters }), next: next === null ? undefined : withQuery(home, { ...filters, cursor: next }), shown: `${plural(entries.length, 'entry', 'entries')} on this page, the newest first` })}`;
}

/** Who did what. */
export function auditPage(view: AuditView): ConsolePage {
  const file = (format: string) => withQuery(home, { ...view.filters, format });
  return {
    section: 'audit',
    title: 'Audit log',
    actions: html`<a href="${file('csv')}" download>Export CSV</a><a href="${file('json')}" download>Export JSON</a>`,
    body: html`${filterForm(view)}${chips(view.filters, view.names)}${panel({ id: 'entries', title: 'Entries', body: listOf(view) })}`,
  };
}

/** What a file has of each entry. */
export const auditColumns: readonly (readonly [
  name: string,
  valueOf: (entry: AuditEventView) => Cell,
])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['reason', ({ reason }) => reason],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['target_kind', ({ target }) => target?.kind ?? null],
  ['target_id', ({ target }) => target?.id ?? null],
  ['address', ({ address }) => address],
  ['request_id', ({ request_id: id }) => id],
  ['details', ({ details }) => JSON.stringify(details)],
];
