import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
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
import { texts } from '../texts/en.ts';
import { formatMoney } from '../../../../platform/i18n/numbers.ts';

const { goals: goalTexts } = texts;
const { funnels: funnelTexts } = texts.goals;

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
  ['page', goalTexts.kinds.page],
  ['event', goalTexts.kinds.event],
] as const;

interface Step {
  kind: string;
  value: string;
  filters: readonly string[];
}

const stepText = ({ kind, value, filters }: Step): string =>
  goalTexts.step({
    kind: kind === 'page' ? goalTexts.kinds.page : goalTexts.kinds.event,
    value,
    filters: filters.map(filterText),
  });

/** Fields of a goal, or of a step of a funnel (with its number, from 1). */
function stepFields(number?: number): Html[] {
  const suffix = number ?? '';
  return [
    select({
      id: `step-kind${suffix}`,
      name: `kind${suffix}`,
      label: goalTexts.fields.kind,
      options: kinds,
    }),
    field({
      id: `step-value${suffix}`,
      name: `value${suffix}`,
      label: goalTexts.fields.value,
      maxLength: 500,
      attributes: { required: number === undefined || number <= 2 },
    }),
    field({
      id: `step-filter${suffix}`,
      name: `filter${suffix}`,
      label: goalTexts.fields.filter,
      maxLength: 1000,
    }),
  ];
}

type Revenue = GoalReport['data'][number]['revenue'];

const revenueText = (revenue: Revenue): string =>
  revenue.length === 0
    ? '–'
    : revenue.map(({ currency, amount }) => formatMoney(Number(amount), currency)).join(', ');

const deleteGoalForm = (site: string, id: string, name: string): Html =>
  confirmForm({
    id: `delete-${id}`,
    action: `${goalsPath}/delete`,
    values: { site_id: site, id, name },
    open: goalTexts.delete.open,
    word: name,
    warning: goalTexts.delete.warning,
    button: goalTexts.delete.button,
  });

const noGoals = (site: string): Html =>
  emptyState({
    text: goalTexts.empty,
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
    label: goalTexts.create.name,
    maxLength: 100,
    attributes: { required: true },
  });
  const form = postForm({
    action: `${goalsPath}/add`,
    values: { site_id: site },
    inputs: [name, ...stepFields()],
    button: goalTexts.create.button,
    kind: 'first',
  });
  return (
    <Disclosure summary={goalTexts.create.open} kind="secondary" isOpen={isOpen}>
      <p class="hint" safe>
        {goalTexts.fields.hint}
      </p>
      {form}
    </Disclosure>
  );
}

function goalsPanel({ goals, address: { site } }: GoalsView, { isAdmin }: Viewer): Html {
  const { columns } = goalTexts;
  const list = table({
    caption: goalTexts.heading,
    columns: [
      columns.goal,
      columns.reachedBy,
      ...[
        columns.conversion,
        columns.visits,
        columns.visitors,
        columns.events,
        columns.revenue,
      ].map(numberColumn),
      ...(isAdmin ? [actionsColumn(columns.actions)] : []),
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
    title: goalTexts.heading,
    hint: goalTexts.hint({ visits: goals.visits }),
    live: !isAdmin,
    body: [list, form],
  });
}

const deleteFunnelForm = (site: string, id: string, name: string): Html =>
  confirmForm({
    id: `delete-${id}`,
    action: `${goalsPath}/funnels/delete`,
    values: { site_id: site, id, name },
    open: funnelTexts.delete.open,
    word: name,
    warning: funnelTexts.delete.warning,
    button: funnelTexts.delete.button,
  });

function funnelPanel(
  { id, name, within, steps, conversion_rate: rate }: FunnelReport,
  site: string,
  { isAdmin }: Viewer,
): Html {
  const isWithinVisit = within === 'visit';
  const list = ranking({
    caption: funnelTexts.caption({ name }),
    heading: funnelTexts.step,
    columns: [
      isWithinVisit ? funnelTexts.visits : funnelTexts.visitors,
      funnelTexts.fromFirst,
      funnelTexts.fromPrevious,
      funnelTexts.dropped,
      funnelTexts.medianTime,
    ],
    rows: steps.map((step, at) => ({
      text: funnelTexts.numberedStep({ number: at + 1, name: step.name }),
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
  const conversion = { rate: percent(rate) };
  return panel({
    id: `funnel-${id}`,
    title: name,
    hint: isWithinVisit
      ? funnelTexts.conversionVisit(conversion)
      : funnelTexts.conversionVisitor(conversion),
    body: [list, isAdmin ? deleteFunnelForm(site, id, name) : undefined],
  });
}

function stepFieldset(number: number): Html {
  const { step, optionalStep } = funnelTexts.create;
  const title = number > 2 ? optionalStep({ number }) : step({ number });
  return (
    <fieldset class="form-fieldset">
      <legend safe>{title}</legend>
      {stepFields(number)}
    </fieldset>
  );
}

function newFunnelForm(site: string): Html {
  const inputs = [
    field({
      id: 'funnel-name',
      name: 'name',
      label: funnelTexts.create.name,
      maxLength: 100,
      attributes: { required: true },
    }),
    select({
      id: 'within',
      label: funnelTexts.create.within,
      options: [
        ['visit', funnelTexts.create.visit],
        ['visitor', funnelTexts.create.visitor],
      ],
    }),
    ...[1, 2, 3, 4, 5].map(stepFieldset),
  ];
  const form = postForm({
    action: `${goalsPath}/funnels/add`,
    values: { site_id: site },
    inputs,
    button: funnelTexts.create.button,
    kind: 'first',
  });
  return (
    <Disclosure summary={funnelTexts.create.open} kind="secondary">
      <p class="hint">
        {escapeHtml(goalTexts.fields.hint)} {escapeHtml(funnelTexts.create.limit)}
      </p>
      {form}
    </Disclosure>
  );
}

function newFunnelPanel({ address, funnelCount }: GoalsView, isAdmin: boolean): Html | undefined {
  if (funnelCount > 0 && !isAdmin) return undefined;
  const none = emptyState({ text: funnelTexts.empty });
  return panel({
    id: 'new-funnel',
    title: funnelTexts.heading,
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
        ? funnelTexts.none({ all: funnelCount })
        : funnelTexts.shown({ first, last, all: funnelCount }),
  });
}

/** The goals and funnels of a site. */
export function goalsPage(view: GoalsView, viewer: Viewer): ConsolePage {
  const { address, sites, funnels, mistakes } = view;
  return {
    section: 'analytics',
    title: goalTexts.title({ site: address.site }),
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
