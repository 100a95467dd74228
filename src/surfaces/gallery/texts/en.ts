import { plural } from '../../../platform/i18n/plural.ts';

export const texts = {
  page: {
    title: 'Components',
    lead: 'Every page and console view is made from these components. Development only.',
    goHome: 'Go to the home page',
  },
  sections: {
    buttons: 'Buttons',
    badges: 'Badges and avatars',
    stats: 'Figures',
    charts: 'Charts',
    icons: 'Icons',
    marks: 'Marks',
    map: 'World map',
    navigation: 'Navigation',
    feedback: 'Feedback',
    overlays: 'Menu, dialog and drawer',
    forms: 'Forms',
    choices: 'Choices with a preview',
    steps: 'Steps, choice cards and metric tabs',
    tables: 'Tables and lists',
    exampleList: 'A list page',
  },
  /** What to know before using the components of a section. */
  hints: {
    buttons:
      'One primary button per view. A form’s button is busy while the form is sent; without ' +
      'JavaScript it stays as it is.',
    badges: 'A badge states its status in words, not by color alone. Avatars show initials.',
    stats:
      'A tone marks figures that need attention. If a tile has a link, the whole tile is ' +
      'clickable.',
    charts: 'The values of every chart are also in a table. Tooltips work without JavaScript.',
    icons: 'All icons are in one cached file. Screen readers skip icons that appear next to text.',
    marks: 'Flags, brands and devices before names. A name without a mark gets its first letter.',
    map: 'Six shades, by sixths of the countries. A table beside it says the same.',
    navigation: 'Tabs scroll on narrow screens and never wrap. Pagers keep their size.',
    feedback: 'Screen readers announce toasts. Skeletons don’t move.',
    overlays: 'All of these open without JavaScript. Escape closes them and returns the focus.',
    forms:
      'Screen readers announce hints and errors with their field. Forms work without ' +
      'JavaScript.',
    choices:
      'Radio buttons and a file field: they need no script. The preview stays in view, and on ' +
      'phones it comes before the button.',
    steps:
      'A stepper for tasks of several pages; steps that are done lead back. Choice cards for two ' +
      'or three ways to begin. Tabs of figures above the chart that they choose.',
    tables: 'Wide tables scroll, also by keyboard. Minor columns are hidden below 640 px.',
    exampleList: 'A filter, a table, an empty state, a form and a pager. Copy it to start a page.',
  },
  exampleList: {
    title: 'Projects',
    create: 'Create project',
    close: 'Close',
    name: 'Name',
    owner: 'Owner',
    state: 'State',
    active: 'Active',
    archived: 'Archived',
    search: 'Search',
    filter: 'Filter by name',
    none: 'No projects yet. Create one to collect its events.',
    noMatch: ({ query }: { query: string }) => `No project matches “${query}”.`,
    showAll: 'Show all projects',
    count: ({ count }: { count: number }) =>
      plural(count, { one: '1 project', other: `${count} projects` }),
    pages: 'Project list pages',
    range: ({ from, to, total }: { from: number; to: number; total: number }) =>
      `${from}–${to} of ${total}`,
    previous: 'Previous',
    next: 'Next',
  },
};
