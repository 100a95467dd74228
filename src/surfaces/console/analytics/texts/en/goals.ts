import { plural } from '../../../components/number-format.ts';

export const goals = {
  title: (p: { site: string }) => `${p.site}, goals`,
  heading: 'Goals',
  hint: (p: { visits: number }) => `Based on ${plural(p.visits, 'visit')} in this period.`,
  kinds: { page: 'A page is viewed', event: 'An event is sent' },
  stepKinds: { page: 'Page', event: 'Event' },
  /** Joins the parts of a step: its page or event, and its conditions. */
  step: (p: { kind: string; value: string; filters: readonly string[] }) =>
    [`${p.kind} ${p.value}`, ...p.filters].join(', '),
  columns: {
    goal: 'Goal',
    reachedBy: 'Reached by',
    conversion: 'Conversion',
    visits: 'Visits',
    visitors: 'Visitors',
    events: 'Times reached',
    revenue: 'Revenue',
    actions: 'Actions',
  },
  empty: 'No goals yet. A goal is a page people reach or an event you send.',
  fields: {
    kind: 'Reached when',
    value: 'Path or event name',
    path: 'Path',
    event: 'Event name',
    filter: 'Only with a property',
    property: 'Property',
    propertyExample: 'plan',
    is: 'Has the value',
    isExample: 'pro',
    known: (p: { value: string; times: number }) =>
      `${p.value} – ${plural(p.times, 'time')} in 30 days`,
    hint: 'Use * for any text: /orders/*/thanks.',
  },
  create: {
    open: 'Add goal',
    fields: { name: 'Goal name' },
    button: 'Create goal',
  },
  about: {
    new: {
      goal: {
        title: 'How a goal counts',
        points: [
          'Each visit that reaches it counts once. Conversion is its share of all visits.',
          'Past events count too: the figures are there as soon as you create it.',
          'You can rename a goal later. To count something else, create another goal.',
        ],
      },
      funnel: {
        title: 'How a funnel counts',
        points: [
          'Steps count in this order. Other pages and events in between don’t matter.',
          'Past events count too: the figures are there as soon as you create it.',
          'You can rename a funnel later. To change its steps, create another funnel.',
        ],
      },
    },
    known: 'Most frequent in the last 30 days',
    recent: 'Last 30 days',
    steps: (p: { steps: number }) => `Funnel of ${plural(p.steps, 'step')}`,
    rename: {
      title: 'What renaming changes',
      goal: [
        'The new name shows everywhere right away, including in past periods.',
        'What the goal counts stays the same, and so do its figures.',
        'Links and API calls use the goal’s ID, so they keep working.',
      ],
      funnel: [
        'The new name shows everywhere right away, including in past periods.',
        'Its steps stay the same, and so do its figures.',
        'API calls use the funnel’s ID, so they keep working.',
      ],
    },
  },
  menu: {
    label: (p: { name: string }) => `Actions for ${p.name}`,
    rename: 'Rename',
    delete: 'Delete',
  },
  rename: {
    title: (p: { name: string }) => `Rename “${p.name}”`,
    fields: { name: 'Name' },
    button: 'Save name',
  },
  funnels: {
    heading: 'Funnels',
    caption: (p: { name: string }) => `Funnel ${p.name}`,
    conversionVisit: (p: { rate: string }) => `Conversion ${p.rate}, all steps within one visit.`,
    conversionVisitor: (p: { rate: string }) =>
      `Conversion ${p.rate}, by visitor across all visits in the period.`,
    step: 'Step',
    numberedStep: (p: { number: number; name: string }) => `${p.number}. ${p.name}`,
    visits: 'Visits',
    visitors: 'Visitors',
    fromFirst: 'From first step',
    fromPrevious: 'From previous step',
    dropped: 'Dropped off',
    medianTime: 'Median time',
    empty: 'No funnels yet. A funnel shows where people drop off across 2–8 steps.',
    shown: (p: { first: number; last: number; all: number }) =>
      `Funnels ${p.first}–${p.last} of ${p.all}`,
    none: (p: { all: number }) => `${plural(p.all, 'funnel')}, none on this page`,
    create: {
      open: 'Add funnel',
      fields: { name: 'Funnel name', within: 'Complete all steps within' },
      values: {
        within: {
          visit: 'One visit',
          visitor: 'The whole period, by the same visitor (requires identified visitors)',
        },
      },
      step: (p: { number: number }) => `Step ${p.number}`,
      optionalStep: (p: { number: number }) => `Step ${p.number} (optional)`,
      addStep: 'Add step',
      button: 'Create funnel',
    },
  },
  done: {
    renamed: 'Name saved.',
    goal_added: 'Goal created. It includes past events.',
    goal_deleted: 'Goal deleted.',
    goal_restored: 'Goal restored.',
    funnel_added: 'Funnel created. It includes past events.',
    funnel_deleted: 'Funnel deleted.',
    funnel_restored: 'Funnel restored.',
  },
};
