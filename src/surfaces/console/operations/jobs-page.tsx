import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { JobKindView, JobListQuery, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, plural, duration, shortDuration } from '../components/number-format.ts';
import { emptyState, panel, time } from '../components/elements.tsx';
import { field, hiddenInput, options, postForm } from '../components/forms.tsx';
import { cursorPager, tabs, withQuery } from '../components/navigation.tsx';
import { numberColumn, type Row, table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { words } from '../status/labels.tsx';

type JobState = JobView['state'];

/** The shown list, as in the page's query. */
type JobsQuery = Pick<JobListQuery, 'state' | 'name' | 'cursor'>;

export interface JobsView {
  query: JobsQuery;
  kinds: readonly JobKindView[];
  page: JobPage;
}

const home = sectionPath('jobs');
const states = [
  'failed',
  'active',
  'waiting',
  'delayed',
  'completed',
] as const satisfies readonly JobState[];

/** The URL of a list. */
const jobsUrl = ({ state, name, cursor }: JobsQuery): string =>
  withQuery(home, { state, name, cursor });

const totalOf = (kinds: readonly JobKindView[], state: JobState, name?: string): number =>
  kinds
    .filter((kind) => name === undefined || kind.name === name)
    .reduce((sum, kind) => sum + kind[state], 0);

const emptyTexts: Readonly<Record<JobState, string>> = {
  failed:
    'No job has failed. Those that do are kept here for a week, to be tried again or taken away.',
  active: 'No job runs at this moment.',
  waiting: 'No job waits.',
  delayed: 'No job is due later.',
  completed: 'No job is known that is done; most kinds keep none.',
};

const whenNames: Readonly<Record<JobState, string>> = {
  failed: 'Failed',
  completed: 'Done',
  active: 'Began',
  waiting: 'Since',
  delayed: 'Due',
};

function errorText({ error }: JobView): Html {
  if (error === null) return escapeHtml('–');
  if (error.length <= 48) return <code safe>{error}</code>;
  return (
    <details>
      <summary>{escapeHtml(error.slice(0, 40))} …</summary>
      <pre tabindex="0">{escapeHtml(error)}</pre>
    </details>
  );
}

/** When the job is due, began or ended, depending on its state. */
const timeOf = ({
  state,
  run_at: run,
  finished_at: finished,
  created_at: created,
}: JobView): Html =>
  time(state === 'failed' || state === 'completed' ? (finished ?? run) : (run ?? created));

function row(job: JobView, canChange: boolean): Row {
  const input = <input type="checkbox" name="job[]" value={job.id} />;
  return [
    canChange ? (
      <label class="pick">
        {input}
        <span safe>{job.id}</span>
      </label>
    ) : (
      escapeHtml(job.id)
    ),
    errorText(job),
    escapeHtml(`${job.attempts_made} of ${job.attempts}`),
    time(job.created_at),
    timeOf(job),
  ];
}

/** Buttons for the selected jobs. They also work without JavaScript. */
function selectionButtons({ state }: JobsQuery): Html {
  const isFailed = state === 'failed';
  const retry = isFailed ? (
    <button type="submit" formaction={`${home}/retry`}>
      Retry selected
    </button>
  ) : undefined;
  const cancel = (
    <button type="submit" class="danger" formaction={`${home}/cancel`} safe>
      {isFailed ? 'Remove selected …' : 'Cancel selected …'}
    </button>
  );
  return (
    <div class="row">
      {retry}
      {cancel}
    </div>
  );
}

const changeableStates: readonly JobState[] = ['failed', 'waiting', 'delayed'];

function jobList({ query, page: { data } }: JobsView): Html {
  const canChange = changeableStates.includes(query.state);
  const list = table({
    caption: `${words(query.state)} jobs on this page`,
    columns: ['Job', 'Error', 'Tries', 'Added', whenNames[query.state]],
    rows: data.map((job) => row(job, canChange)),
  });
  if (!canChange) return list;
  const hidden = [hiddenInput('state', query.state), hiddenInput('name', query.name ?? '')];
  return (
    <form method="post" action={`${home}/cancel`} data-send data-select-all>
      {hidden}
      {list}
      {selectionButtons(query)}
    </form>
  );
}

function listPanel(view: JobsView): Html {
  const {
    query: { state, name, cursor },
    page: { data, next_cursor: next },
  } = view;
  const pages = cursorPager({
    path: home,
    query: { state, name },
    isFirst: cursor === undefined,
    next,
    shown: `${plural(data.length, 'job')} on this page`,
  });
  const none = emptyState({
    text: emptyTexts[state],
    call: `curl "$BASE_URL/api/v1/jobs?state=${state}" -H "authorization: Bearer $API_KEY"`,
  });
  return panel({
    id: 'jobs',
    title: `${words(state)} jobs${name === undefined ? '' : `: ${name}`}`,
    live: true,
    body: data.length === 0 ? none : [jobList(view), pages],
  });
}

function failedText({ name, failed }: JobKindView): Html {
  if (failed === 0) return escapeHtml('0');
  const href = jobsUrl({ state: 'failed', name, cursor: undefined });
  return (
    <a href={href}>
      <strong class="down" safe>
        {count(failed)}
      </strong>
    </a>
  );
}

function kindRow(kind: JobKindView, { name }: JobsQuery): Row {
  return [
    kind.name === name ? <strong safe>{kind.name}</strong> : escapeHtml(kind.name),
    escapeHtml(count(kind.active)),
    escapeHtml(count(kind.waiting)),
    escapeHtml(count(kind.delayed)),
    failedText(kind),
    escapeHtml(duration(kind.oldest_waiting_s)),
    kind.every_s === null
      ? escapeHtml('when asked for')
      : escapeHtml(`each ${shortDuration(kind.every_s)}`),
    time(kind.last_success_at),
  ];
}

function kindsPanel({ kinds, query }: JobsView): Html {
  const numbers = ['Active', 'Waiting', 'Delayed', 'Failed', 'Waits longest'];
  return panel({
    id: 'kinds',
    title: 'Kinds of jobs',
    live: true,
    hint: 'On all replicas. The next run of a job that repeats counts as delayed.',
    body: table({
      caption: 'Kinds of jobs and how many there are',
      columns: ['Kind', ...numbers.map(numberColumn), 'Runs', 'Last success'],
      rows: kinds.map((kind) => kindRow(kind, query)),
    }),
  });
}

function filterForm({ kinds, query }: JobsView): Html {
  const names = kinds.map(({ name }) => [name, name] as const);
  return (
    <form class="filters" action={home}>
      {hiddenInput('state', query.state)}
      <div class="field">
        <label for="jobs-kind">Kind</label>
        <select id="jobs-kind" name="name">
          <option value="">All kinds</option>
          {options(names, query.name)}
        </select>
      </div>
      <button type="submit" class="second">
        Show
      </button>
    </form>
  );
}

/** Background jobs by state, with actions. */
export function jobsPage(view: JobsView, notice: Html | undefined): ConsolePage {
  const { query, kinds } = view;
  const stateTabs = tabs(
    'State',
    states.map((state) => ({
      href: jobsUrl({ state, name: query.name, cursor: undefined }),
      text: `${words(state)} ${count(totalOf(kinds, state, query.name))}`,
      isCurrent: state === query.state,
    })),
  );
  return {
    section: 'jobs',
    title: 'Jobs',
    notice,
    channels: ['jobs'],
    every: 15,
    body: [
      <div id="states" data-live>
        {stateTabs}
      </div>,
      filterForm(view),
      listPanel(view),
      kindsPanel(view),
    ],
  };
}

export interface CancelView {
  query: JobsQuery;
  ids: readonly string[];
  /** The typed number was wrong. */
  isWrong?: boolean;
}

/** Asks for confirmation before jobs are removed. */
export function cancelPage({ query, ids, isWrong = false }: CancelView): ConsolePage {
  const number = String(ids.length);
  const jobs = plural(ids.length, 'job');
  const input = field({
    id: 'confirm',
    label: `Type ${number} to go on`,
    hint: 'The number of jobs. What they were to do is not done then; this cannot be undone.',
    attributes: { required: true, inputmode: 'numeric', pattern: number, title: number },
    error: isWrong ? `This is not the number of jobs. Type ${number}.` : undefined,
  });
  const form = postForm({
    action: `${home}/cancel`,
    values: { state: query.state, name: query.name },
    inputs: [...ids.map((id) => hiddenInput('job[]', id)), input],
    button: `Take ${jobs} away`,
    kind: 'danger',
  });
  const details = { open: ids.length <= 10 };
  const items = ids.map((id) => (
    <li>
      <code safe>{id}</code>
    </li>
  ));
  const list = (
    <details {...details}>
      <summary>Which ones</summary>
      <ul class="notes">{items}</ul>
    </details>
  );
  return {
    section: 'jobs',
    title: `Take ${jobs} away?`,
    isError: isWrong,
    actions: <a href={jobsUrl(query)}>Back to the jobs</a>,
    body: panel({ id: 'cancel', title: 'Are you sure?', body: [form, list] }),
  };
}
