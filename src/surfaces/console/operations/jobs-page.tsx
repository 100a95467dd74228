import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState, Toast, type ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { Ago, Time } from '../../../platform/ui/time.tsx';
import type { JobKindView, JobListQuery, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, duration } from '../components/number-format.ts';
import { jobNumber, kindName, scheduleText } from './job-names.ts';
import { OptionalTime } from '../components/optional-time.tsx';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { cursorPager, tabs, withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { texts } from './texts/en.ts';

type JobState = JobView['state'];

/** The shown list, as in the page's query. */
export type JobsQuery = Pick<JobListQuery, 'state' | 'name' | 'cursor'>;

export interface JobsView {
  query: JobsQuery;
  kinds: readonly JobKindView[];
  page: JobPage;
  /** Unix ms. */
  now: number;
}

const home = sectionPath('jobs');
const words = texts.jobs;
const states = [
  'failed',
  'active',
  'waiting',
  'delayed',
  'completed',
] as const satisfies readonly JobState[];

/** The URL of a list. */
export const jobsUrl = ({ state, name, cursor }: JobsQuery): string =>
  withQuery(home, { state, name, cursor });

const totalOf = (kinds: readonly JobKindView[], state: JobState, name?: string): number =>
  kinds
    .filter((kind) => name === undefined || kind.name === name)
    .reduce((sum, kind) => sum + kind[state], 0);

function errorText({ error }: JobView): Html {
  if (error === null) return escapeHtml('–');
  if (error.length <= 48) return <code safe>{error}</code>;
  return (
    <Disclosure summary={`${error.slice(0, 40)} …`}>
      <pre tabindex="0">{escapeHtml(error)}</pre>
    </Disclosure>
  );
}

/** When the job is due, began or ended, depending on its state. */
const timeOf = ({
  state,
  run_at: run,
  finished_at: finished,
  created_at: created,
}: JobView): Html => (
  <OptionalTime
    at={state === 'failed' || state === 'completed' ? (finished ?? run) : (run ?? created)}
  />
);

/** Buttons for the selected jobs. */
function bulkActions({ state }: JobsQuery): Html {
  const isFailed = state === 'failed';
  return (
    <>
      {isFailed && (
        <Button
          label={words.retrySelected}
          icon="refresh"
          size="small"
          attributes={{ formaction: `${home}/retry` }}
        />
      )}
      <Button
        label={isFailed ? words.removeSelected : words.cancelSelected}
        size="small"
        attributes={{ formaction: `${home}/cancel` }}
      />
    </>
  );
}

const listId = 'job-list';
const changeableStates: readonly JobState[] = ['failed', 'waiting', 'delayed'];

const jobText = (id: string, name: string): Html => (
  <>
    {escapeHtml(kindName(name))}
    <span class="hint" title={id} safe>
      {jobNumber(id)}
    </span>
  </>
);

const jobColumns = (state: JobState, canChange: boolean): Column<JobView>[] => [
  {
    title: words.columns.job,
    cell: ({ id, name }) => {
      const text = jobText(id, name);
      const label = `${kindName(name)}, ${jobNumber(id)}`;
      return canChange ? (
        <div class="pick">
          <RowCheck list={listId} name="job[]" value={id} label={label} />
          <span>{text}</span>
        </div>
      ) : (
        text
      );
    },
  },
  { title: words.columns.error, cell: errorText },
  {
    title: words.columns.attempts,
    text: ({ attempts_made: made, attempts: all }) => words.attempts({ made, all }),
  },
  { title: words.columns.added, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: words.times[state], cell: timeOf },
];

function jobList({ query, page: { data } }: JobsView): Html {
  const { state, name = '' } = query;
  const canChange = changeableStates.includes(state);
  const list = (
    <Table
      caption={words.caption({ title: words.titles[state] })}
      columns={jobColumns(state, canChange)}
      rows={data}
    />
  );
  if (!canChange) return list;
  return (
    <BulkList
      id={listId}
      action={`${home}/cancel`}
      values={{ state, name }}
      actions={bulkActions(query)}
    >
      {list}
    </BulkList>
  );
}

const noJobs = (state: JobState): Html => <EmptyState icon="list" text={words.empty[state]} />;

function listPanel(view: JobsView): Html {
  const {
    query: { state, name, cursor },
    page: { data, next_cursor: next },
  } = view;
  const list = words.titles[state];
  const title =
    name === undefined ? list : words.titleOfKind({ title: list, kind: kindName(name) });
  const pages = cursorPager({
    path: home,
    query: { state, name },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: data.length }),
  });
  const isEmpty = data.length === 0;
  if (isEmpty && state === 'failed')
    return (
      <p id="jobs" class="good-news" data-live>
        <Icon name="success" /> {escapeHtml(words.empty.failed)}
      </p>
    );
  return (
    <Card id="jobs" title={title} isLive>
      {isEmpty ? noJobs(state) : [jobList(view), pages]}
    </Card>
  );
}

/** Delayed jobs without the next run of a schedule, which is always there. */
const laterOf = ({ delayed, every_s: every }: JobKindView): number =>
  every === null ? delayed : Math.max(0, delayed - 1);

/** What a kind does at the moment: `3 waiting, 1 failed`, each a link to its jobs. */
function nowLine(kind: JobKindView): Html | undefined {
  const counts: readonly (readonly [JobState, number])[] = [
    ['failed', kind.failed],
    ['active', kind.active],
    ['waiting', kind.waiting],
    ['delayed', laterOf(kind)],
  ];
  const some = counts.filter(([, value]) => value > 0);
  if (some.length === 0) return undefined;
  return (
    <span class="hint">
      {some.map(([state, value], at) => (
        <>
          {at > 0 && ', '}
          <a
            href={jobsUrl({ state, name: kind.name, cursor: undefined })}
            class={state === 'failed' ? 'text-bad' : undefined}
            safe
          >
            {kindTexts.some({ count: count(value), state: stateNames[state].toLowerCase() })}
          </a>
        </>
      ))}
    </span>
  );
}

const { kinds: kindTexts, states: stateNames } = words;

/** More than one run was missed. `now`: Unix ms. */
const isLate = ({ every_s: every, last_success_at: at }: JobKindView, now: number): boolean =>
  every !== null && at !== null && now - Date.parse(at) > (2 * every + lateAfterS) * 1000;

/** Seconds that a run may take, or wait for others. */
const lateAfterS = 300;

/** How long ago a kind last succeeded, in amber if it should have run since. */
function lastRun(kind: JobKindView, now: number): Html {
  const { last_success_at: at } = kind;
  if (at === null) return <span class="hint">{escapeHtml(shared.time.never)}</span>;
  const ago = <Ago at={at} now={now} />;
  if (!isLate(kind, now)) return ago;
  return (
    <>
      {ago} <Badge text={kindTexts.late} tone="warn" />
    </>
  );
}

const kindColumns = (chosen: string | undefined, now: number): Column<JobKindView>[] => [
  {
    title: kindTexts.columns.kind,
    cell: (kind) => {
      const text = kindName(kind.name);
      return (
        <>
          {kind.name === chosen ? <strong safe>{text}</strong> : escapeHtml(text)}
          {nowLine(kind)}
        </>
      );
    },
  },
  { title: kindTexts.columns.schedule, text: ({ every_s: every }) => scheduleText(every) },
  { title: kindTexts.columns.lastRun, cell: (kind) => lastRun(kind, now) },
];

/** A kind that waits for long says so; others have nothing to tell. */
function oldestHint(kinds: readonly JobKindView[]): string {
  const oldest = Math.max(...kinds.map(({ oldest_waiting_s: waiting }) => waiting ?? 0), 0);
  return oldest === 0
    ? kindTexts.hint({ scheduled: totalOf(kinds, 'delayed') })
    : kindTexts.oldest({ duration: duration(oldest) });
}

/** All kinds; those that are late come first. */
const kindsPanel = ({ kinds, query, now }: JobsView): Html => (
  <Card id="kinds" title={kindTexts.title} hint={oldestHint(kinds)} isLive>
    <Table
      caption={kindTexts.caption}
      columns={kindColumns(query.name, now)}
      rows={kinds.toSorted((a, b) => Number(isLate(b, now)) - Number(isLate(a, now)))}
    />
  </Card>
);

function filterForm({ kinds, query }: JobsView): Html {
  const names = kinds.map(({ name }) => [name, kindName(name)] as const);
  return (
    <Form
      action={home}
      method="get"
      isInline
      values={{ state: query.state }}
      submit={{ label: words.filters.apply, kind: 'secondary' }}
    >
      <SelectField
        id="jobs-kind"
        name="name"
        label={words.filters.kind}
        options={[['', words.filters.all], ...names]}
        value={query.name}
      />
    </Form>
  );
}

/** Background jobs by state, with actions. */
export function jobsPage(view: JobsView, notice: ToastOptions | undefined): ConsolePage {
  const { query, kinds } = view;
  const stateTabs = tabs(
    words.tabs,
    states.map((state) => ({
      href: jobsUrl({ state, name: query.name, cursor: undefined }),
      text: words.tab({
        state: words.states[state],
        count: count(totalOf(kinds, state, query.name)),
      }),
      isCurrent: state === query.state,
    })),
  );
  return {
    section: 'jobs',
    title: words.title,
    notice: notice && <Toast {...notice} />,
    channels: ['jobs'],
    every: 15,
    body: (
      <>
        <div id="states" data-live>
          {stateTabs}
        </div>
        {filterForm(view)}
        {listPanel(view)}
        {kindsPanel(view)}
      </>
    ),
  };
}
