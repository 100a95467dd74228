import { isUuid } from '../../../../lib/ids.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { type Column, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { below, readable, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { UserNames } from '../user-names.ts';

const tones: Readonly<Record<AuditEventView['outcome'], Tone>> = {
  success: 'ok',
  failure: 'warn',
  denied: 'bad',
};

const words = texts.audit;

/** The first part of an id, with the whole id in its title. */
const shortId = (id: string): Html =>
  isUuid(id) ? <code title={id}>{escapeHtml(id.slice(0, 8))}…</code> : <code safe>{id}</code>;

interface Party {
  kind: string;
  id: string | null;
}

/** An actor or a target, with a link if it has a page. */
export function partyLabel({ kind, id }: Party, names: UserNames): Html {
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
function entryDetails(entry: AuditEventView): Html {
  const { id, at, actor, target, address, request_id: request, details } = entry;
  const labels = words.details;
  const idOf = (party: Party | null) =>
    escapeHtml(party === null ? '–' : `${party.kind} ${party.id ?? ''}`);
  const time = (
    <time data-plain datetime={at} safe>
      {at}
    </time>
  );
  return (
    <Disclosure summary={labels.open}>
      <Facts
        facts={[
          { name: labels.time, value: time },
          { name: labels.actor, value: idOf(actor) },
          { name: labels.target, value: idOf(target) },
          { name: labels.address, value: escapeHtml(address ?? '–') },
          { name: labels.request, value: escapeHtml(request ?? '–') },
          { name: labels.entry, value: escapeHtml(id) },
          ...Object.entries(details).map(([name, value]) => ({
            name,
            value: escapeHtml(valueText(value)),
          })),
        ]}
      />
    </Disclosure>
  );
}

const outcomeCell = ({ outcome, reason }: AuditEventView): Html => (
  <>
    <Badge text={words.outcomes[outcome]} tone={tones[outcome]} />
    {reason !== null && below(reason)}
  </>
);

export interface EntryTableOptions {
  caption: string;
  entries: readonly AuditEventView[];
  names: UserNames;
  /** What each action means. */
  actions: Readonly<Record<string, string>>;
  /** Shown instead of a table without entries. */
  empty: Html;
}

function entryColumns({ names, actions }: EntryTableOptions): Column<AuditEventView>[] {
  const { columns } = words;
  return [
    {
      title: columns.action,
      cell: ({ action }) => (
        <code title={actions[action] ?? ''} safe>
          {action}
        </code>
      ),
    },
    { title: columns.time, cell: ({ at }) => <Time at={at} /> },
    { title: columns.outcome, cell: outcomeCell },
    { title: columns.actor, cell: ({ actor }) => partyLabel(actor, names) },
    {
      title: columns.target,
      cell: ({ target }) => (target === null ? escapeHtml('–') : partyLabel(target, names)),
    },
    { title: columns.more, cell: entryDetails, isTitleHidden: true },
  ];
}

/** A table of entries: action, outcome, actor and target. */
export const EntryTable = (options: EntryTableOptions): Html => (
  <Table
    caption={options.caption}
    columns={entryColumns(options)}
    rows={options.entries}
    empty={options.empty}
  />
);
