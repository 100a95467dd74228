import { html, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import {
  filterBar,
  filterText,
  periodBar,
  siteChooser,
  type SiteEntry,
  siteTabs,
} from '../view-controls.ts';
import { ranking } from '../../components/ranking.ts';
import { funnelsOnPage } from './goal-report.ts';
import type { ConsolePage } from '../../layout.ts';
import { count, duration, percent } from '../../components/number-format.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.ts';
import { emptyState, panel } from '../../components/elements.ts';
import { pager } from '../../components/navigation.ts';
import { numberColumn, actionsColumn, table } from '../../components/tables.ts';
import type { Viewer } from '../../request-context.ts';

export interface GoalsView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  goals: GoalReport;
  /** A page of them. */
  funnels: readonly FunnelReport[];
  funnelCount: number;
  /** How many are on the pages before. */
  skipped: number;
  notice: Html | undefined;
  mistakes: readonly string[];
}

export const goalsPath = `${analyticsPath}/goals`;

const kinds = [
  ['page', 'Page'],
  ['event', 'Event'],
] as const;

function stepText({
  kind,
  value,
  filters,
}: {
  kind: string;
  value: string;
  filters: readonly string[];
}): string {
  return [`${kind === 'page' ? 'Page' : 'Event'} ${value}`, ...filters.map(filterText)].join(', ');
}

/** Fields of one step: of a goal, or of a funnel (with its number). */
function stepFields(at: number | undefined): Html {
  const suffix = at === undefined ? '' : String(at);
  const required = at === undefined || at <= 2;
  return html`${select({ id: `step-kind${suffix}`, name: `kind${suffix}`, label: 'Reached by', options: kinds })}${field({ id: `step-value${suffix}`, name: `value${suffix}`, label: 'Path or name', maxLength: 500, attributes: { required } })}${field({ id: `step-filter${suffix}`, name: `filter${suffix}`, label: 'Only where', maxLength: 1000 })}`;
}

const stepHint =
  'A path such as /thanks, or the name of an event; * stands for any text. "Only where" narrows it by the event\'s own properties: props.plan:is:pro';

function goalsPanel({ goals, address: { site } }: GoalsView, { isAdmin }: Viewer): Html {
  const money = (revenue: GoalReport['data'][number]['revenue']) =>
    revenue.length === 0
      ? '–'
      : revenue
          .map(
            ({ currency, amount }) =>
              `${Number(amount).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`,
          )
          .join(', ');
  const remove = (id: string, name: string) =>
    confirmForm({
      id: `delete-${id}`,
      action: `${goalsPath}/delete`,
      values: { site_id: site, id, name },
      open: 'Delete',
      word: name,
      warning: 'The events stay; only the goal goes.',
      button: 'Delete it',
    });
  const columns = [
    'Goal',
    'Reached by',
    numberColumn('Conversion'),
    numberColumn('Visits'),
    numberColumn('Visitors'),
    numberColumn('Times'),
    numberColumn('Revenue'),
    ...(isAdmin ? [actionsColumn('Actions')] : []),
  ];
  const rows = goals.data.map((goal) => [
    goal.name,
    stepText(goal),
    html`<strong>${percent(goal.conversion_rate)}</strong>`,
    count(goal.visits),
    count(goal.visitors),
    count(goal.events),
    money(goal.revenue),
    ...(isAdmin ? [remove(goal.id, goal.name)] : []),
  ]);
  const empty = emptyState({
    text: 'No goal yet. Say what a visit is good for: a page that was reached, an event that was sent.',
    call: `curl -X POST "$BASE_URL/analytics/sites/${site}/goals" -H "authorization: Bearer $API_KEY" \\\n  -H 'content-type: application/json' -d '{"name":"Signed up","kind":"event","value":"signup"}'`,
  });
  const form = isAdmin
    ? html`<details${rows.length === 0 ? html` open` : undefined}><summary>Add a goal</summary><p class="hint">${stepHint}</p>${postForm({ action: `${goalsPath}/add`, values: { site_id: site }, inputs: html`${field({ id: 'goal-name', name: 'name', label: 'Name of the goal', maxLength: 100, attributes: { required: true } })}${stepFields(undefined)}`, button: 'Add the goal', kind: 'first' })}</details>`
    : undefined;
  return panel({
    id: 'goals',
    title: 'Goals',
    hint: `Of ${count(goals.visits)} visits in this period.`,
    live: !isAdmin,
    body: html`${rows.length === 0 ? empty : table({ caption: 'Goals', columns, rows })}${form}`,
  });
}

function funnelPanel(
  { id, name, within, steps, conversion_rate: rate }: FunnelReport,
  site: string,
  { isAdmin }: Viewer,
): Html {
  const rows = steps.map((step, at) => ({
    text: `${at + 1}. ${step.name}`,
    value: step.entered,
    cells: [
      count(step.entered),
      percent(step.of_first),
      at === 0 ? '–' : percent(step.of_previous),
      at === 0 ? '–' : count(step.dropped),
      duration(step.median_seconds),
    ],
  }));
  const remove = isAdmin
    ? confirmForm({
        id: `delete-${id}`,
        action: `${goalsPath}/funnels/delete`,
        values: { site_id: site, id, name },
        open: 'Delete this funnel',
        word: name,
        warning: 'The events stay; only the funnel goes.',
        button: 'Delete it',
      })
    : undefined;
  return panel({
    id: `funnel-${id}`,
    title: name,
    hint: `${percent(rate)} get to the end, ${within === 'visit' ? 'within one visit' : 'on any of their visits in the period'}.`,
    body: html`${ranking({ caption: `Funnel ${name}`, heading: 'Step', columns: [within === 'visit' ? 'Visits' : 'Visitors', 'Of the first', 'Of the one before', 'Dropped', 'Median time'], rows })}${remove}`,
  });
}

function newFunnelPanel(
  site: string,
  { isAdmin, isFirst }: { isAdmin: boolean; isFirst: boolean },
): Html {
  const steps = [1, 2, 3, 4, 5].map(
    (at) =>
      html`<fieldset><legend>Step ${at}${at > 2 ? ' (may be left empty)' : ''}</legend>${stepFields(at)}</fieldset>`,
  );
  const inputs = html`${field({ id: 'funnel-name', name: 'name', label: 'Name of the funnel', maxLength: 100, attributes: { required: true } })}${select(
    {
      id: 'within',
      name: 'within',
      label: 'All steps within',
      options: [
        ['visit', 'one visit'],
        ['visitor', 'the period, by one visitor (for sites that name their users)'],
      ],
    },
  )}${steps}`;
  return panel({
    id: 'new-funnel',
    title: 'Funnels',
    body: html`${isFirst ? emptyState({ text: 'No funnel yet. It shows where people leave on their way through two to eight steps.' }) : undefined}${!isAdmin ? undefined : html`<details><summary>Add a funnel</summary><p class="hint">${stepHint} Up to eight steps by the API.</p>${postForm({ action: `${goalsPath}/funnels/add`, values: { site_id: site }, inputs, button: 'Add the funnel', kind: 'first' })}</details>`}`,
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

/** What visits were good for, and where people leave. */
export function goalsPage(view: GoalsView, viewer: Viewer): ConsolePage {
  const { address, sites, funnels, funnelCount, mistakes } = view;
  const body = html`${siteTabs(address, '/goals')}
${periodBar(address, goalsPath)}
${filterBar(address, goalsPath)}
${goalsPanel(view, viewer)}
${funnels.map((funnel) => funnelPanel(funnel, address.site, viewer))}
${funnelPager(view)}
${viewer.isAdmin || funnelCount === 0 ? newFunnelPanel(address.site, { isAdmin: viewer.isAdmin, isFirst: funnelCount === 0 }) : undefined}`;
  const wrong =
    mistakes.length === 0
      ? undefined
      : html`<p class="error">${mistakes.join('. ')}. Shown is the last 30 days.</p>`;
  return {
    section: 'analytics',
    title: `${address.site}, goals`,
    actions: siteChooser(address, sites, '/goals'),
    body,
    notice: view.notice ?? wrong,
  };
}
