import { html, type Html } from '../../../lib/text/html.ts';
import type { JobKindView, JobListQuery, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import type { ConsolePage } from '../layout.ts';
import { count, plural, duration, shortDuration } from '../components/number-format.ts';
import { emptyState, panel, time } from '../components/elements.ts';
import { field, postForm } from '../components/forms.ts';
import { pager, tabs, withQuery } from '../components/navigation.ts';
import { table } from '../components/tables.ts';
import { sectionPath } from '../sections.ts';
import { words } from '../status/labels.ts';

export type JobState = JobView['state'];

/** Which list is shown; the address of the page says the same. */
export type JobsQuery = Pick<JobListQuery, 'state' | 'name' | 'cursor'>;

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

/** The list's own address. */
export const jobsPlace = ({ state, name, cursor }: JobsQuery): string =>
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

function errorOf({ error }: JobView): Html | string {
  if (error === null) return '–';
  return error.length <= 48
    ? html`<code>${error}</code>`
    : html`<details><summary>${error.slice(0, 40)} …</summary><pre tabindex="0">${error}</pre></details>`;
}

/** When it is due, began or ended: what matters of a job in its state. */
const whenOf = ({
  state,
  run_at: run,
  finished_at: finished,
  created_at: created,
}: JobView): Html =>
  time(state === 'failed' || state === 'completed' ? (finished ?? run) : (run ?? created));
const whenNames: Readonly<Record<JobState, string>> = {
  failed: 'Failed',
  completed: 'Done',
  active: 'Began',
  waiting: 'Since',
  delayed: 'Due',
};

function row(job: JobView, canChange: boolean): (Html | string)[] {
  const name = canChange
    ? html`<label class="pick"><input type="checkbox" name="job[]" value="${job.id}"><span>${job.id}</span></label>`
    : job.id;
  return [
    name,
    errorOf(job),
    `${job.attempts_made} of ${job.attempts}`,
    time(job.created_at),
    whenOf(job),
  ];
}

/** Buttons for what is ticked. Without a script they work as well. */
function actionsFor({ state }: JobsQuery): Html {
  const retry =
    state === 'failed'
      ? html`<button type="submit" formaction="${home}/retry">Retry selected</button>`
      : undefined;
  return html`<div class="row">${retry}<button type="submit" class="danger" formaction="${home}/cancel">${state === 'failed' ? 'Remove selected …' : 'Cancel selected …'}</button></div>`;
}

function listPanel({ query, page: { data, next_cursor: next } }: JobsView): Html {
  const canChange =
    query.state === 'failed' || query.state === 'waiting' || query.state === 'delayed';
  const columns = ['Job', 'Error', 'Tries', 'Added', { name: whenNames[query.state] }];
  const list = table({
    caption: `${words(query.state)} jobs on this page`,
    columns,
    rows: data.map((job) => row(job, canChange)),
  });
  const carried = html`<input type="hidden" name="state" value="${query.state}"><input type="hidden" name="name" value="${query.name ?? ''}">`;
  const form = canChange
    ? html`<form method="post" action="${home}/cancel" data-send data-select-all>${carried}${list}${actionsFor(query)}</form>`
    : list;
  const pages = pager({
    first: query.cursor === undefined ? undefined : jobsPlace({ ...query, cursor: undefined }),
    next: next === null ? undefined : jobsPlace({ ...query, cursor: next }),
    shown: `${plural(data.length, 'job')} on this page`,
  });
  const body =
    data.length === 0
      ? emptyState({
          text: emptyTexts[query.state],
          call: `curl "$BASE_URL/api/v1/jobs?state=${query.state}" -H "authorization: Bearer $API_KEY"`,
        })
      : html`${form}${pages}`;
  return panel({
    id: 'jobs',
    title: `${words(query.state)} jobs${query.name === undefined ? '' : `: ${query.name}`}`,
    live: true,
    body,
  });
}

function kindRow(kind: JobKindView, { name }: JobsQuery): (Html | string)[] {
  const failed =
    kind.failed === 0
      ? '0'
      : html`<a href="${jobsPlace({ state: 'failed', name: kind.name, cursor: undefined })}"><strong class="down">${count(kind.failed)}</strong></a>`;
  return [
    kind.name === name ? html`<strong>${kind.name}</strong>` : kind.name,
    count(kind.active),
    count(kind.waiting),
    count(kind.delayed),
    failed,
    duration(kind.oldest_waiting_s),
    kind.every_s === null ? 'when asked for' : `each ${shortDuration(kind.every_s)}`,
    time(kind.last_success_at),
  ];
}

function kindsPanel({ kinds, query }: JobsView): Html {
  const numbers = ['Active', 'Waiting', 'Delayed', 'Failed', 'Waits longest'].map((name) => ({
    name,
    isNumber: true,
  }));
  return panel({
    id: 'kinds',
    title: 'Kinds of jobs',
    live: true,
    hint: 'On all replicas. The next run of a job that repeats counts as delayed.',
    body: table({
      caption: 'Kinds of jobs and how many there are',
      columns: ['Kind', ...numbers, 'Runs', 'Last success'],
      rows: kinds.map((kind) => kindRow(kind, query)),
    }),
  });
}

function filter({ kinds, query }: JobsView): Html {
  const options = kinds.map(
    ({ name }) =>
      html`<option value="${name}"${name === query.name ? html` selected` : undefined}>${name}</option>`,
  );
  return html`<form class="filters" action="${home}"><input type="hidden" name="state" value="${query.state}"><div class="field"><label for="jobs-kind">Kind</label><select id="jobs-kind" name="name"><option value="">All kinds</option>${options}</select></div><button type="submit" class="second">Show</button></form>`;
}

/** Background jobs by state, and what can be done about them. */
export function jobsPage(view: JobsView, notice: Html | undefined): ConsolePage {
  const { query, kinds } = view;
  const stateTabs = tabs(
    'State',
    states.map((state) => ({
      href: jobsPlace({ state, name: query.name, cursor: undefined }),
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
    body: html`<div id="states" data-live>${stateTabs}</div>${filter(view)}${listPanel(view)}${kindsPanel(view)}`,
  };
}

export interface CancelView {
  query: JobsQuery;
  ids: readonly string[];
  /** What was typed was not the number. */
  isWrong?: boolean;
}

/** Asks once more before jobs are taken away. */
export function cancelPage({ query, ids, isWrong = false }: CancelView): ConsolePage {
  const number = String(ids.length);
  const input = field({
    id: 'confirm',
    name: 'confirm',
    label: `Type ${number} to go on`,
    hint: 'The number of jobs. What they were to do is not done then; this cannot be undone.',
    attributes: { required: true, inputmode: 'numeric', pattern: number, title: number },
    error: isWrong ? `This is not the number of jobs. Type ${number}.` : undefined,
  });
  const carried = html`${ids.map((id) => html`<input type="hidden" name="job[]" value="${id}">`)}`;
  const form = postForm({
    action: `${home}/cancel`,
    values: { state: query.state, name: query.name },
    inputs: html`${carried}${input}`,
    button: `Take ${plural(ids.length, 'job')} away`,
    kind: 'danger',
  });
  const list = html`<details${ids.length <= 10 ? html` open` : undefined}><summary>Which ones</summary><ul class="notes">${ids.map((id) => html`<li><code>${id}</code></li>`)}</ul></details>`;
  return {
    section: 'jobs',
    title: `Take ${plural(ids.length, 'job')} away?`,
    isError: isWrong,
    actions: html`<a href="${jobsPlace(query)}">Back to the jobs</a>`,
    body: panel({ id: 'cancel', title: 'Are you sure?', body: html`${form}${list}` }),
  };
}
