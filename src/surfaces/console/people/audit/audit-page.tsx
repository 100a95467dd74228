import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field, Form, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { EntryTable } from './audit-table.tsx';
import type { UserNames } from '../user-names.ts';
import type { ConsolePage } from '../../layout.tsx';
import { cursorPager, withQuery } from '../../components/navigation.tsx';
import { sectionPath } from '../../sections.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import type { ExportColumns } from '../../../../platform/resource/list-file.ts';
import { exportLinks } from '../../list-export.tsx';

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
const words = texts.audit;

/** The actions, in groups. */
function actionSelect(actions: AuditView['actions'], current: string | undefined): Html {
  const names = Object.keys(actions);
  const groups = [...new Set(names.map((name) => name.replace(/\..*$/, '')))].sort();
  return (
    <SelectField
      id="action"
      label={words.filters.action}
      value={current ?? ''}
      options={[['', words.filters.any]]}
      groups={groups.map((group) => ({
        label: group.replaceAll('_', ' '),
        options: [
          [`${group}.*`, words.filters.group({ group })] as const,
          ...names
            .filter((name) => name.startsWith(`${group}.`))
            .map((name) => [name, name, actions[name]] as const),
        ],
      }))}
    />
  );
}

const outcomes = [
  ['', words.filters.any],
  ['success', words.outcomes.success],
  ['failure', words.outcomes.failure],
  ['denied', words.outcomes.denied],
] as const;

function filterForm({ filters, actions }: AuditView): Html {
  const labels = words.filters;
  const { actor_id: actor, target_id: target, since, until } = filters;
  return (
    <Form
      action={home}
      method="get"
      isInline
      submit={{ label: labels.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': labels.label }}
    >
      {actionSelect(actions, filters.action)}
      <Field
        id="actor_id"
        label={labels.actor}
        hint={labels.actorHint}
        value={actor}
        maxLength={256}
      />
      <Field
        id="target_id"
        label={labels.target}
        hint={labels.targetHint}
        value={target}
        maxLength={256}
      />
      <SelectField
        id="outcome"
        label={labels.outcome}
        options={outcomes}
        value={filters.outcome ?? ''}
      />
      <Field id="since" label={labels.since} value={since} type="datetime-local" />
      <Field id="until" label={labels.until} value={until} type="datetime-local" />
    </Form>
  );
}

const filterKeys = [
  'action',
  'actor_id',
  'target_id',
  'outcome',
  'since',
  'until',
] as const satisfies readonly (keyof AuditFilters)[];

const outcomeNames: Readonly<Partial<Record<string, string>>> = words.outcomes;

/** The filters in effect, each with a link that removes it. */
function chips(filters: AuditFilters, names: UserNames): Html | undefined {
  const { chip, chipNames, remove } = words.filters;
  const items = filterKeys.flatMap((key) => {
    const value = filters[key];
    if (value === undefined) return [];
    const href = withQuery(home, { ...filters, [key]: undefined });
    const shown = key === 'outcome' ? outcomeNames[value] : names.get(value);
    const text = chip({ name: chipNames[key], value: shown ?? value });
    return [
      <li>
        <a href={href}>
          <span class="visually-hidden" safe>
            {remove}
          </span>{' '}
          {escapeHtml(text)}
        </a>
      </li>,
    ];
  });
  return items.length === 0 ? undefined : (
    <nav aria-label={words.filters.chips}>
      <ul class="chips">{items}</ul>
    </nav>
  );
}

const noEntries = (filters: AuditFilters): Html =>
  filterKeys.some((key) => filters[key] !== undefined) ? (
    <EmptyState
      icon="list"
      text={words.noMatch}
      action={<Button label={texts.clearFilters} href={home} />}
    />
  ) : (
    <EmptyState icon="list" text={words.none}>
      <Copy
        label={consoleTexts.copy}
        text={'curl "$BASE_URL/api/v1/audit" -H "authorization: Bearer $ADMIN_API_KEY"'}
      />
    </EmptyState>
  );

/** The audit log: who did what. */
export function auditPage(view: AuditView): ConsolePage {
  const { entries, next, filters, cursor, names, actions } = view;
  const pager = {
    path: home,
    query: { ...filters },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: entries.length }),
  };
  return {
    section: 'audit',
    title: words.title,
    actions: exportLinks(home, { ...filters }),
    body: (
      <>
        {filterForm(view)}
        {chips(filters, names)}
        <Card id="entries" title={words.entries}>
          <EntryTable
            caption={words.caption}
            entries={entries}
            names={names}
            actions={actions}
            empty={noEntries(filters)}
          />
          {entries.length > 0 && cursorPager(pager)}
        </Card>
      </>
    ),
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
