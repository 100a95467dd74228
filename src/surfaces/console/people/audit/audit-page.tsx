import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Avatar } from '../../../../platform/ui/components/avatar.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import type { ExportColumns } from '../../../../platform/resource/list-file.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { cursorPager, withQuery } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { exportLinks } from '../../list-export.tsx';
import { addressOf, nameOf } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { ActivityDays, countFolds, entryPath } from './activity.tsx';
import { auditPath, chips, filterForm, filterKeys, type FilterOptions } from './audit-filters.tsx';
import type { Subjects } from './subjects.ts';

export interface AuditView extends FilterOptions {
  /** Unix ms. */
  now: number;
  entries: readonly AuditEventView[];
  next: string | null;
  cursor: string | undefined;
  subjects: Subjects;
  /** The people whom a text may mean, where it was not exactly one. Unset: no text. */
  candidates: readonly ListedUser[] | undefined;
}

const words = texts.audit;

/** Asks whom a text means. */
const candidateList = ({ candidates = [], filters, person }: AuditView): Html => (
  <Card id="people" title={words.people.title({ text: person })}>
    {candidates.length === 0 ? (
      <EmptyState icon="search" text={words.people.none} />
    ) : (
      <ul class="found">
        {candidates.map((user) => (
          <li>
            <a href={withQuery(auditPath, { ...filters, person: user.id })}>
              <Avatar name={nameOf(user)} />
              <span safe>{nameOf(user)}</span>
              <span class="hint" safe>
                {addressOf(user) ?? ''}
              </span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

function entryList(view: AuditView): Html {
  const { entries, next, filters, cursor, subjects } = view;
  const isFiltered = filterKeys.some((key) => filters[key] !== undefined);
  const pager = {
    path: auditPath,
    query: { ...filters },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({
      count: entries.length,
      lines: isFiltered ? entries.length : countFolds(entries),
    }),
  };
  return (
    <Card id="entries" title={words.entries}>
      {entries.length === 0 ? (
        <EmptyState
          icon="list"
          text={isFiltered ? words.noMatch : words.none}
          action={isFiltered ? <Button label={texts.clearFilters} href={auditPath} /> : undefined}
        />
      ) : (
        <>
          <ActivityDays
            entries={entries}
            subjects={subjects}
            detailsPath={entryPath}
            now={view.now}
            isFolded={!isFiltered}
          />
          {cursorPager(pager)}
        </>
      )}
    </Card>
  );
}

/** The audit log: who did what to whom, in sentences. */
export function auditPage(view: AuditView): ConsolePage {
  const { filters, candidates } = view;
  return {
    section: 'audit',
    title: words.title,
    actions: exportLinks(auditPath, { ...filters }),
    body: (
      <>
        {filterForm(view)}
        {chips(view)}
        {candidates === undefined ? entryList(view) : candidateList(view)}
        <p class="hint">{escapeHtml(words.kept)}</p>
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
