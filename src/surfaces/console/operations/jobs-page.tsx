import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { CheckField, Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import type { JobKindView, JobListQuery, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, duration } from '../components/number-format.ts';
import { emptyState, panel, time } from '../components/elements.tsx';
import { field, hiddenInput, postForm } from '../components/forms.tsx';
import { cursorPager, tabs, withQuery } from '../components/navigation.tsx';
import { numberColumn, type Row, table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { texts } from './texts/en.ts';

type JobState = JobView['state'];

/** The shown list, as in the page's query. */
type JobsQuery = Pick<JobListQuery, 'state' | 'name' | 'cursor'>;

export interface JobsView {
  query: JobsQuery;
  kinds: readonly JobKindView[];
  page: JobPage;
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
const jobsUrl = ({ state, name, cursor }: JobsQuery): string =>
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
}: JobView): Html =>
  time(state === 'failed' || state === 'completed' ? (finished ?? run) : (run ?? created));

function row(job: JobView, canChange: boolean): Row {
  return [
    canChange ? (
      <CheckField id={`job-${job.id}`} name="job[]" value={job.id} label={job.id} />
    ) : (
      escapeHtml(job.id)
    ),
    errorText(job),
    escapeHtml(words.attempts({ made: job.attempts_made, all: job.attempts })),
    time(job.created_at),
    timeOf(job),
  ];
}

/** Buttons for the selected jobs. They also work without JavaScript. */
function selectionButtons({ state }: JobsQuery): Html {
  const isFailed = state === 'failed';
  const retry = isFailed ? (
    <Button
      label={words.retrySelected}
      icon="refresh"
      attributes={{ formaction: `${home}/retry` }}
    />
  ) : undefined;
  const cancel = (
    <Button
      label={isFailed ? words.removeSelected : words.cancelSelected}
      kind="danger"
      attributes={{ formaction: `${home}/cancel` }}
    />
  );
  return (
    <div class="btn-row">
      {retry}
      {cancel}
    </div>
  );
}

const changeableStates: readonly JobState[] = ['failed', 'waiting', 'delayed'];

function jobList({ query, page: { data } }: JobsView): Html {
  const canChange = changeableStates.includes(query.state);
  const { columns } = words;
  const list = table({
    caption: words.caption({ title: words.titles[query.state] }),
    columns: [
      columns.job,
      columns.error,
      columns.attempts,
      columns.added,
      words.times[query.state],
    ],
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
  const title = words.titles[state];
  const pages = cursorPager({
    path: home,
    query: { state, name },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: data.length }),
  });
  const none = emptyState({
    text: words.empty[state],
    call: `curl "$BASE_URL/api/v1/jobs?state=${state}" -H "authorization: Bearer $API_KEY"`,
  });
  return panel({
    id: 'jobs',
    title: name === undefined ? title : words.titleOfKind({ title, kind: name }),
    live: true,
    body: data.length === 0 ? none : [jobList(view), pages],
  });
}

function failedText({ name, failed }: JobKindView): Html {
  if (failed === 0) return escapeHtml('0');
  const href = jobsUrl({ state: 'failed', name, cursor: undefined });
  return (
    <a href={href}>
      <strong class="text-bad" safe>
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
      ? escapeHtml(words.kinds.onDemand)
      : escapeHtml(words.kinds.every({ interval: duration(kind.every_s) })),
    time(kind.last_success_at),
  ];
}

function kindsPanel({ kinds, query }: JobsView): Html {
  const { title, hint, caption, columns } = words.kinds;
  const { active, waiting, delayed, failed } = words.states;
  const numbers = [active, waiting, delayed, failed, columns.oldest];
  return panel({
    id: 'kinds',
    title,
    live: true,
    hint,
    body: table({
      caption,
      columns: [columns.kind, ...numbers.map(numberColumn), columns.schedule, columns.lastSuccess],
      rows: kinds.map((kind) => kindRow(kind, query)),
    }),
  });
}

function filterForm({ kinds, query }: JobsView): Html {
  const names = kinds.map(({ name }) => [name, name] as const);
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
export function jobsPage(view: JobsView, notice: Html | undefined): ConsolePage {
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
  const page = texts.cancelJobs;
  const isFailed = query.state === 'failed';
  const title = isFailed ? page.removeTitle : page.cancelTitle;
  const button = isFailed ? page.remove : page.cancel;
  const input = field({
    id: 'confirm',
    label: shared.confirm.label({ word: number }),
    hint: page.hint,
    attributes: { required: true, inputmode: 'numeric', pattern: number, title: number },
    error: isWrong ? page.wrong({ number }) : undefined,
  });
  const form = postForm({
    action: `${home}/cancel`,
    values: { state: query.state, name: query.name },
    inputs: [...ids.map((id) => hiddenInput('job[]', id)), input],
    button: button({ count: ids.length }),
    kind: 'danger',
  });
  const items = ids.map((id) => (
    <li>
      <code safe>{id}</code>
    </li>
  ));
  const list = (
    <Disclosure summary={page.selected} isOpen={ids.length <= 10}>
      <ul class="notes">{items}</ul>
    </Disclosure>
  );
  return {
    section: 'jobs',
    title: title({ count: ids.length }),
    isError: isWrong,
    actions: (
      <a href={jobsUrl(query)} safe>
        {page.back}
      </a>
    ),
    body: panel({ id: 'cancel', title: page.confirm, body: [form, list] }),
  };
}
