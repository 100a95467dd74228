import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { AlarmKind } from '../../../areas/nfc/tables.ts';
import { ActionButton } from '../components/console-form.tsx';
import { UndoButton } from '../components/notices.tsx';
import type { AlarmGroup } from './alarm-groups.ts';
import { alarmsPath, tagPath } from './nfc-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.alarmList;

/** Where the page is that a form about alarms comes back to. */
export type AlarmPlace = 'all' | 'tag';

const tones: Readonly<Partial<Record<AlarmKind, Tone>>> = {
  cloned: 'bad',
  forged: 'bad',
  unknown_uid: 'bad',
  replayed: 'warn',
  opened: 'warn',
};

type Group = Pick<AlarmGroup, 'kind' | 'tagId' | 'since'>;

const resolvePath = `${alarmsPath}/resolve`;
const valuesOf = ({ kind, tagId, since }: Group, isResolved: boolean, place: AlarmPlace) => ({
  ...{ kind, since, place, resolved: String(isResolved) },
  ...(tagId !== null && { tag_id: tagId }),
});

/** Opens the alarms of a group again that were just resolved. */
export const undoResolve = (group: Group, place: AlarmPlace): Html => (
  <UndoButton action={resolvePath} values={valuesOf(group, false, place)} />
);

const sentence = (group: AlarmGroup): Html => (
  <>
    <Badge text={words.kinds[group.kind]} tone={tones[group.kind] ?? 'neutral'} />{' '}
    {escapeHtml(words.sentences[group.kind]({ count: group.count }))}
  </>
);

const advice = ({ kind }: AlarmGroup): Html => (
  <span class="hint row-advice" safe>
    {words.advice[kind]}
  </span>
);

const linkedSentence = (group: AlarmGroup): Html =>
  group.tagId === null ? (
    sentence(group)
  ) : (
    <a class="row-link" href={tagPath(group.tagId, 'alarms')}>
      {sentence(group)}
    </a>
  );

const tagCell = ({ tagId, tagName }: AlarmGroup): Html =>
  tagId === null ? (
    <>{escapeHtml(words.noTag)}</>
  ) : (
    <a class="cell-link" href={tagPath(tagId)} safe>
      {tagName ?? words.noTag}
    </a>
  );

export interface AlarmTableOptions {
  groups: readonly AlarmGroup[];
  isResolved: boolean;
  place: AlarmPlace;
  empty: Html;
}

/** Alarms in sentences, each with the button that resolves it. */
export function AlarmTable({ groups, isResolved, place, empty }: AlarmTableOptions): Html {
  const { columns } = words;
  const tag: Column<AlarmGroup> = { title: columns.tag, cell: tagCell };
  const all: Column<AlarmGroup>[] = [
    {
      title: columns.alarm,
      cell: (group) => (
        <>
          {place === 'all' ? linkedSentence(group) : sentence(group)}
          {advice(group)}
        </>
      ),
    },
    ...(place === 'all' ? [tag] : []),
    { title: columns.first, cell: ({ since }) => <Time at={since} />, isMinor: true },
    { title: columns.last, cell: ({ last }) => <Time at={last} />, isMinor: true },
    {
      title: columns.actions,
      isTitleHidden: true,
      isNumber: true,
      cell: (group) => (
        <ActionButton
          action={resolvePath}
          label={isResolved ? words.reopen : words.resolve}
          values={valuesOf(group, !isResolved, place)}
        />
      ),
    },
  ];
  return (
    <Table
      caption={words.caption}
      columns={all}
      rows={groups}
      rowId={({ kind, tagId }) => `${kind}-${tagId ?? 'none'}`}
      empty={empty}
    />
  );
}
