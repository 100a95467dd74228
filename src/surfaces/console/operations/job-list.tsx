import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { JobKindView, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { cursorPager } from '../components/navigation.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { sectionPath } from '../sections.ts';
import { isScheduledRun, jobNumber, kindName } from './job-names.ts';
import type { JobsQuery } from './jobs-url.ts';
import { texts } from './texts/en.ts';

type JobState = JobView['state'];

export interface JobListView {
  query: JobsQuery;
  page: JobPage;
}

const home = sectionPath('jobs');
const words = texts.jobs;

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
      return canChange && !isScheduledRun(id) ? (
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

function jobList({ query, page: { data } }: JobListView): Html {
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

const noJobs = (state: JobState): Html => (
  <EmptyState icon={state === 'failed' ? 'success' : 'list'} text={words.empty[state]} />
);

/** Jobs in a state, with what can be done with them. */
export function jobsPanel(view: JobListView): Html {
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
  return (
    <Card id="jobs" title={title} isLive>
      {data.length === 0 ? noJobs(state) : [jobList(view), pages]}
    </Card>
  );
}

/** Chooses one kind of the list. */
export function kindFilter(kinds: readonly JobKindView[], query: JobsQuery): Html {
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
