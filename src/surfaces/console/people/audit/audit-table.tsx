import { isUuid } from '../../../../lib/ids.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { badge, facts, time, type Tone } from '../../components/elements.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import { userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { UserNames } from '../user-names.ts';

const tones: Readonly<Record<AuditEventView['outcome'], Tone>> = {
  success: 'good',
  failure: 'warn',
  denied: 'bad',
};

const words = texts.audit;

const readable = (text: string): string =>
  text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

/** The first part of an id, with the whole id in its title. */
const shortId = (id: string): Html =>
  isUuid(id) ? <code title={id}>{escapeHtml(id.slice(0, 8))}…</code> : <code safe>{id}</code>;

/** An actor or a target, with a link if it has a page. */
function partyText({ kind, id }: { kind: string; id: string | null }, names: UserNames): Html {
  if (id === null) return escapeHtml(readable(kind));
  if (kind === 'user') return userLink(id, names.get(id) ?? words.user({ id: id.slice(0, 8) }));
  return id === 'env' ? (
    escapeHtml(words.adminKey)
  ) : (
    <>
      {escapeHtml(readable(kind))} {shortId(id)}
    </>
  );
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** All fields of an entry, closed by default. */
function entryDetails({
  id,
  at,
  actor,
  target,
  address,
  request_id: request,
  details,
}: AuditEventView): Html {
  const labels = words.details;
  const idOf = (party: { kind: string; id: string | null } | null) => (
    <>{party === null ? '–' : escapeHtml(`${party.kind} ${party.id ?? ''}`)}</>
  );
  return (
    <Disclosure summary={labels.open}>
      {facts([
        [
          labels.time,
          <time data-plain datetime={at} safe>
            {at}
          </time>,
        ],
        [labels.actor, idOf(actor)],
        [labels.target, idOf(target)],
        [labels.address, escapeHtml(address ?? '–')],
        [labels.request, escapeHtml(request ?? '–')],
        [labels.entry, escapeHtml(id)],
        ...Object.entries(details).map(
          ([name, value]) => [name, escapeHtml(valueText(value))] as const,
        ),
      ])}
    </Disclosure>
  );
}

export interface EntryTableOptions {
  caption: string;
  entries: readonly AuditEventView[];
  names: UserNames;
  /** What each action means. */
  actions: Readonly<Record<string, string>>;
}

/** A table of entries: action, outcome, actor and target. */
export function entryTable({ caption, entries, names, actions }: EntryTableOptions): Html {
  const reasonText = ({ reason }: AuditEventView) =>
    reason === null ? undefined : (
      <>
        <br />
        <span class="hint" safe>
          {reason}
        </span>
      </>
    );
  const { columns } = words;
  return table({
    caption,
    columns: [
      columns.action,
      columns.time,
      columns.outcome,
      columns.actor,
      columns.target,
      actionsColumn(columns.more),
    ],
    rows: entries.map((entry) => [
      <code title={actions[entry.action] ?? ''} safe>
        {entry.action}
      </code>,
      time(entry.at),
      <>
        {badge(words.outcomes[entry.outcome], tones[entry.outcome])}
        {reasonText(entry)}
      </>,
      partyText(entry.actor, names),
      entry.target === null ? escapeHtml('–') : partyText(entry.target, names),
      entryDetails(entry),
    ]),
  });
}
