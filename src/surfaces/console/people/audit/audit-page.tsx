import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { entryTable } from './audit-table.tsx';
import type { UserNames } from '../user-names.ts';
import type { ConsolePage } from '../../layout.tsx';
import { plural } from '../../components/number-format.ts';
import { select, field, type FieldOptions } from '../../components/forms.tsx';
import { emptyState, panel } from '../../components/elements.tsx';
import { cursorPager, withQuery } from '../../components/navigation.tsx';
import { sectionPath } from '../../sections.ts';
import { type ExportColumns, exportLinks } from '../../list-export.tsx';

/** The filters in the URL of the page. Instants are UTC, without a zone: `2026-05-04T09:30`. */
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
  /** Names of the users in the entries. */
  names: UserNames;
  /** All actions with their meanings. */
  actions: Readonly<Record<string, string>>;
}

const home = sectionPath('audit');

function actionOption(name: string, text: string, current?: string, title?: string): Html {
  const option = { value: name, selected: name === current, title };
  return (
    <option {...option} safe>
      {text}
    </option>
  );
}

/** The actions, in groups. */
function actionSelect(actions: AuditView['actions'], current: string | undefined): Html {
  const names = Object.keys(actions);
  const groups = [...new Set(names.map((name) => name.replace(/\..*$/, '')))].sort();
  const choices = groups.map((group) => {
    const all = actionOption(`${group}.*`, `${group}: all`, current);
    const each = names
      .filter((name) => name.startsWith(`${group}.`))
      .map((name) => actionOption(name, name, current, actions[name]));
    return (
      <optgroup label={group.replaceAll('_', ' ')}>
        {all}
        {each}
      </optgroup>
    );
  });
  return (
    <div class="field">
      <label for="action">Action</label>{' '}
      <select id="action" name="action">
        {actionOption('', 'Any')}
        {choices}
      </select>
    </div>
  );
}

const outcomes = [
  ['', 'Any'],
  ['success', 'Success'],
  ['failure', 'Failure'],
  ['denied', 'Denied'],
] as const;

function filterForm({ filters, actions }: AuditView): Html {
  const form = {
    class: 'filters',
    method: 'get',
    action: home,
    role: 'search',
    'aria-label': 'Audit log',
  };
  const input = (id: keyof AuditFilters, label: string, options?: Partial<FieldOptions>) =>
    field({ id, label, value: filters[id], ...options });
  const inputs = [
    actionSelect(actions, filters.action),
    input('actor_id', 'Id of who did it', { maxLength: 256 }),
    input('target_id', 'Id of what it was done to', { maxLength: 256 }),
    select({
      id: 'outcome',
      label: 'Outcome',
      options: outcomes,
      value: filters.outcome ?? '',
    }),
    input('since', 'Since (UTC)', { type: 'datetime-local' }),
    input('until', 'Until (UTC)', { type: 'datetime-local' }),
  ];
  return (
    <form {...form}>
      {inputs}
      <button type="submit">Filter</button>
    </form>
  );
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

/** The filters in effect, each with a link that removes it. */
function chips(filters: AuditFilters, names: UserNames): Html | undefined {
  const items = filterKeys.flatMap((key) => {
    const value = filters[key];
    if (value === undefined) return [];
    const href = withQuery(home, { ...filters, [key]: undefined });
    const label = (
      <>
        <span class="spoken">Take away:</span> {escapeHtml(filterNames[key])}
      </>
    );
    return [
      <li>
        <a href={href}>
          {label} {escapeHtml(names.get(value) ?? value)}
        </a>
      </li>,
    ];
  });
  return items.length === 0 ? undefined : (
    <nav aria-label="Filters">
      <ul class="chips">{items}</ul>
    </nav>
  );
}

const noEntries = (filters: AuditFilters): Html =>
  filterKeys.some((key) => filters[key] !== undefined)
    ? emptyState({
        text: 'No entry fits these filters. Entries are kept for 400 days.',
        link: { href: home, text: 'Show all entries' },
      })
    : emptyState({
        text:
          'Nothing was written yet. ' +
          'Whatever changes something appears here; programs read it so:',
        call: 'curl "$BASE_URL/api/v1/audit" -H "authorization: Bearer $ADMIN_API_KEY"',
      });

function entryList(view: AuditView): Html {
  const { entries, next, filters, cursor } = view;
  if (entries.length === 0) return noEntries(filters);
  const list = entryTable({ ...view, caption: 'Audit log, the newest first' });
  const pages = cursorPager({
    path: home,
    query: { ...filters },
    isFirst: cursor === undefined,
    next,
    shown: `${plural(entries.length, 'entry', 'entries')} on this page, the newest first`,
  });
  return (
    <>
      {list}
      {pages}
    </>
  );
}

/** The audit log: who did what. */
export function auditPage(view: AuditView): ConsolePage {
  const { filters, names } = view;
  return {
    section: 'audit',
    title: 'Audit log',
    actions: exportLinks(home, { ...filters }),
    body: [
      filterForm(view),
      chips(filters, names),
      panel({ id: 'entries', title: 'Entries', body: entryList(view) }),
    ],
  };
}

/** Columns of the exported file. */
export const auditColumns: ExportColumns<AuditEventView> = [
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
