import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import {
  filterBar,
  filterText,
  mistakesNotice,
  periodBar,
  siteChooser,
  type SiteEntry,
  siteTabs,
} from '../view-controls.tsx';
import { ranking } from '../../components/ranking.tsx';
import { funnelsOnPage } from './goal-report.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count, duration, percent } from '../../components/number-format.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.tsx';
import { emptyState, panel } from '../../components/elements.tsx';
import { pager } from '../../components/navigation.tsx';
import { numberColumn, actionsColumn, table } from '../../components/tables.tsx';
import type { Viewer } from '../../request-context.ts';

export interface GoalsView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  goals: GoalReport;
  /** One page of funnels. */
  funnels: readonly FunnelReport[];
  funnelCount: number;
  /** Number of funnels on the previous pages. */
  skipped: number;
  notice: Html | undefined;
  mistakes: readonly string[];
}

export const goalsPath = `${analyticsPath}/goals`;

const kinds = [
  ['page', 'Page'],
  ['event', 'Event'],
] as const;

interface Step {
  kind: string;
  value: string;
  filters: readonly string[];
}

const stepText = ({ kind, value, filters }: Step): string =>
  [`${kind === 'page' ? 'Page' : 'Event'} ${value}`, ...filters.map(filterText)].join(', ');

/** Fields of a goal, or of a step of a funnel (with its number, from 1). */
function stepFields(number?: number): Html[] {
  const suffix = number ?? '';
  return [
    select({
      id: `step-kind${suffix}`,
      name: `kind${suffix}`,
      label: 'Reached by',
      options: kinds,
    }),
    field({
      id: `step-value${suffix}`,
      name: `value${suffix}`,
      label: 'Path or name',
      maxLength: 500,
      attributes: { required: number === undefined || number <= 2 },
    }),
    field({
      id: `step-filter${suffix}`,
      name: `filter${suffix}`,
      label: 'Only where',
      maxLength: 1000,
    }),
  ];
}

const stepHint =
  'A path such as /thanks, or the name of an event; * stands for any text. ' +
  '"Only where" narrows it by the event\'s own properties: props.plan:is:pro';

const amounts = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

type Revenue = GoalReport['data'][number]['revenue'];

const revenueText = (revenue: Revenue): string =>
  revenue.length === 0
    ? '–'
    : revenue
        .map(({ currency, amount }) => `${amounts.format(Number(amount))} ${currency}`)
        .join(', ');

const deleteGoalForm = (site: string, id: string, name: string): Html =>
  confirmForm({
    id: `delete-${id}`,
    action: `${goalsPath}/delete`,
    values: { site_id: site, id, name },
    open: 'Delete',
    word: name,
    warning: 'The events stay; only the goal goes.',
    button: 'Delete it',
  });

const noGoals = (site: string): Html =>
  emptyState({
    text:
      'No goal yet. Say what a visit is good for: ' +
      'a page that was reached, an event that was sent.',
    call:
      `curl -X POST "$BASE_URL/analytics/sites/${site}/goals" ` +
      '-H "authorization: Bearer $API_KEY" \\\n' +
      "  -H 'content-type: application/json' " +
      `-d '{"name":"Signed up","kind":"event","value":"signup"}'`,
  });

function newGoalForm(site: string, isOpen: boolean): Html {
  const name = field({
    id: 'goal-name',
    name: 'name',
    label: 'Name of the goal',
    maxLength: 100,
    attributes: { required: true },
  });
  const form = postForm({
    action: `${goalsPath}/add`,
    values: { site_id: site },
    inputs: [name, ...stepFields()],
    button: 'Add the goal',
    kind: 'first',
  });
  return (
    <details {...{ open: isOpen }}>
      <summary>Add a goal</summary>
      <p class="hint" safe>
        {stepHint}
      </p>
      {form}
    </details>
  );
}

function goalsPanel({ goals, address: { site } }: GoalsView, { isAdmin }: Viewer): Html {
  const list = table({
    caption: 'Goals',
    columns: [
      'Goal',
      'Reached by',
      ...['Conversion', 'Visits', 'Visitors', 'Times', 'Revenue'].map(numberColumn),
      ...(isAdmin ? [actionsColumn('Actions')] : []),
    ],
    rows: goals.data.map((goal) => [
      escapeHtml(goal.name),
      escapeHtml(stepText(goal)),
      <strong safe>{percent(goal.conversion_rate)}</strong>,
      escapeHtml(count(goal.visits)),
      escapeHtml(count(goal.visitors)),
      escapeHtml(count(goal.events)),
      escapeHtml(revenueText(goal.revenue)),
      ...(isAdmin ? [deleteGoalForm(site, goal.id, goal.name)] : []),
    ]),
    empty: noGoals(site),
  });
  const form = isAdmin ? newGoalForm(site, goals.data.length === 0) : undefined;
  return panel({
    id: 'goals',
    title: 'Goals',
    hint: `Of ${count(goals.visits)} visits in this period.`,
    live: !isAdmin,
    body: [list, form],
  });
}

const deleteFunnelForm = (site: string, id: string, name: string): Html =>
  confirmForm({
    id: `delete-${id}`,
    action: `${goalsPath}/funnels/delete`,
    values: { site_id: site, id, name },
    open: 'Delete this funnel',
    word: name,
    warning: 'The events stay; only the funnel goes.',
    button: 'Delete it',
  });

function funnelPanel(
  { id, name, within, steps, conversion_rate: rate }: FunnelReport,
  site: string,
  { isAdmin }: Viewer,
): Html {
  const isWithinVisit = within === 'visit';
  const list = ranking({
    caption: `Funnel ${name}`,
    heading: 'Step',
    columns: [
      isWithinVisit ? 'Visits' : 'Visitors',
      'Of the first',
      'Of the one before',
      'Dropped',
      'Median time',
    ],
    rows: steps.map((step, at) => ({
      text: `${at + 1}. ${step.name}`,
      value: step.entered,
      cells: [
        escapeHtml(count(step.entered)),
        escapeHtml(percent(step.of_first)),
        at === 0 ? escapeHtml('–') : escapeHtml(percent(step.of_previous)),
        at === 0 ? escapeHtml('–') : escapeHtml(count(step.dropped)),
        escapeHtml(duration(step.median_seconds)),
      ],
    })),
  });
  const scope = isWithinVisit ? 'within one visit' : 'on any of their visits in the period';
  return panel({
    id: `funnel-${id}`,
    title: name,
    hint: `${percent(rate)} get to the end, ${scope}.`,
    body: [list, isAdmin ? deleteFunnelForm(site, id, name) : undefined],
  });
}

function stepFieldset(number: number): Html {
  const note = number > 2 ? ' (may be left empty)' : '';
  return (
    <fieldset>
      <legend>
        Step {number}
        {escapeHtml(note)}
      </legend>
      {stepFields(number)}
    </fieldset>
  );
}

function newFunnelForm(site: string): Html {
  const inputs = [
    field({
      id: 'funnel-name',
      name: 'name',
      label: 'Name of the funnel',
      maxLength: 100,
      attributes: { required: true },
    }),
    select({
      id: 'within',
      label: 'All steps within',
      options: [
        ['visit', 'one visit'],
        ['visitor', 'the period, by one visitor (for sites that name their users)'],
      ],
    }),
    ...[1, 2, 3, 4, 5].map(stepFieldset),
  ];
  const form = postForm({
    action: `${goalsPath}/funnels/add`,
    values: { site_id: site },
    inputs,
    button: 'Add the funnel',
    kind: 'first',
  });
  return (
    <details>
      <summary>Add a funnel</summary>
      <p class="hint">{escapeHtml(stepHint)} Up to eight steps by the API.</p>
      {form}
    </details>
  );
}

function newFunnelPanel({ address, funnelCount }: GoalsView, isAdmin: boolean): Html | undefined {
  if (funnelCount > 0 && !isAdmin) return undefined;
  const none = emptyState({
    text:
      'No funnel yet. ' + 'It shows where people leave on their way through two to eight steps.',
  });
  return panel({
    id: 'new-funnel',
    title: 'Funnels',
    body: [funnelCount === 0 ? none : undefined, isAdmin ? newFunnelForm(address.site) : undefined],
  });
}

function funnelPager({ address, funnels, funnelCount, skipped }: GoalsView): Html | undefined {
  if (funnelCount <= funnelsOnPage) return undefined;
  const [first, last] = [skipped + 1, skipped + funnels.length];
  return pager({
    first: skipped === 0 ? undefined : viewUrl(address, goalsPath),
    next: last >= funnelCount ? undefined : viewUrl(address, goalsPath, { skip: String(last) }),
    shown:
      funnels.length === 0
        ? `There are ${funnelCount} funnels`
        : `Funnels ${first} to ${last} of ${funnelCount}`,
  });
}

/** The goals and funnels of a site. */
export function goalsPage(view: GoalsView, viewer: Viewer): ConsolePage {
  const { address, sites, funnels, mistakes } = view;
  return {
    section: 'analytics',
    title: `${address.site}, goals`,
    actions: siteChooser(address, sites, '/goals'),
    body: [
      siteTabs(address, '/goals'),
      periodBar(address, goalsPath),
      filterBar(address, goalsPath),
      goalsPanel(view, viewer),
      ...funnels.map((funnel) => funnelPanel(funnel, address.site, viewer)),
      funnelPager(view),
      newFunnelPanel(view, viewer.isAdmin),
    ],
    notice: view.notice ?? mistakesNotice(mistakes),
  };
}
