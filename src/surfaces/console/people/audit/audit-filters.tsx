import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

/** The filters in the URL of the page. Times are UTC: `2026-05-04` or `2026-05-04T09:30`. */
export interface AuditFilters {
  /** Who did it, or whom it was done to: the id of a user. */
  person?: string | undefined;
  action?: string | undefined;
  actor_id?: string | undefined;
  target_id?: string | undefined;
  outcome?: 'success' | 'failure' | 'denied' | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export const filterKeys = [
  'person',
  'action',
  'actor_id',
  'target_id',
  'outcome',
  'since',
  'until',
] as const satisfies readonly (keyof AuditFilters)[];

export const auditPath = sectionPath('audit');
const words = texts.audit;
const groupNames: Readonly<Partial<Record<string, string>>> = texts.activity.groups;

const groupOf = (action: string): string => action.replace(/\..*$/, '');
const groupName = (group: string): string => groupNames[group] ?? group;

/** What an action means, as the label of a choice. */
const labelOf = (meaning: string): string => meaning.replace(/\.( .*)?$/, '');

/** The actions in words, in groups. */
function actionSelect(actions: Readonly<Record<string, string>>, current: string): Html {
  const names = Object.keys(actions);
  const groups = [...new Set(names.map(groupOf))].sort((a, b) =>
    groupName(a).localeCompare(groupName(b)),
  );
  return (
    <SelectField
      id="action"
      label={words.filters.action}
      value={current}
      options={[['', words.filters.any]]}
      groups={groups.map((group) => ({
        label: groupName(group),
        options: [
          [`${group}.*`, words.filters.group({ group: groupName(group) })] as const,
          ...names
            .filter((name) => groupOf(name) === group)
            .map((name) => [name, labelOf(actions[name] ?? name)] as const),
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

export interface FilterOptions {
  filters: AuditFilters;
  /** The name of the person in the filter, or the text that was searched for. */
  person: string;
  /** All actions with their meanings. */
  actions: Readonly<Record<string, string>>;
}

/** The filters. What is typed is sent in the body, so that no name is in a URL. */
export function filterForm({ filters, person, actions }: FilterOptions): Html {
  const labels = words.filters;
  const { actor_id: actor, target_id: target, since, until, outcome, action } = filters;
  return (
    <ConsoleForm
      action={`${auditPath}/find`}
      isInline
      values={{
        ...(filters.person !== undefined && { person: filters.person, person_name: person }),
        ...(actor !== undefined && { actor_id: actor }),
        ...(target !== undefined && { target_id: target }),
      }}
      submit={{ label: labels.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': labels.label }}
    >
      <Field
        id="who"
        label={labels.person}
        value={person}
        maxLength={200}
        attributes={{ placeholder: labels.personHint, 'data-suggest': labels.suggested }}
      />
      {actionSelect(actions, action ?? '')}
      <SelectField id="outcome" label={labels.outcome} options={outcomes} value={outcome ?? ''} />
      <Field id="since" label={labels.since} value={since?.slice(0, 10)} type="date" />
      <Field id="until" label={labels.until} value={until?.slice(0, 10)} type="date" />
    </ConsoleForm>
  );
}

const outcomeNames: Readonly<Partial<Record<string, string>>> = words.outcomes;

/** The filters in effect, each with a link that removes it. */
export function chips({ filters, person, actions }: FilterOptions): Html | undefined {
  const { chip, chipNames, remove, group } = words.filters;
  const shown = (key: keyof AuditFilters, value: string): string => {
    if (key === 'person') return person;
    if (key === 'outcome') return outcomeNames[value] ?? value;
    if (key !== 'action') return value.replace('T', ' ');
    return value.endsWith('.*')
      ? group({ group: groupName(groupOf(value)) })
      : labelOf(actions[value] ?? value);
  };
  const items = filterKeys.flatMap((key) => {
    const value = filters[key];
    if (value === undefined) return [];
    const href = withQuery(auditPath, { ...filters, [key]: undefined });
    return [
      <li>
        <a href={href}>
          <span class="visually-hidden" safe>
            {remove}
          </span>{' '}
          {escapeHtml(chip({ name: chipNames[key], value: shown(key, value) }))}
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
