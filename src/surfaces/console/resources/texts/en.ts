/** Buttons have no article: `Add saved reply`. */
const withoutArticle = (one: string): string => one.replace(/^an? /, '');

/** Texts of the generated pages of resources. */
export const texts = {
  list: {
    search: (p: { searches: string }) => `Search ${p.searches}`,
    applied: (p: { field: string; value: string }) => `${p.field}: ${p.value}`,
    quoted: (p: { text: string }) => `“${p.text}”`,
    any: 'Any',
    more: 'More',
    person: 'Person',
    sort: 'Order',
    order: (p: { field: string; order: string }) => `${p.field}, ${p.order}`,
    orders: {
      time: { ascending: 'oldest first', descending: 'newest first' },
      number: { ascending: 'lowest first', descending: 'highest first' },
      text: { ascending: 'A to Z', descending: 'Z to A' },
    },
    all: (p: { many: string }) => `All ${p.many}`,
    matching: (p: { many: string }) => `Matching ${p.many}`,
    clear: 'Clear filters',
    noMatch: (p: { many: string }) => `No ${p.many} match these filters.`,
    shown: (p: { count: string }) => `${p.count} on this page`,
    create: (p: { one: string }) => `Add ${withoutArticle(p.one)}`,
  },
  import: {
    title: (p: { many: string }) => `Import ${p.many}`,
    open: 'Import',
    choose: 'Choose a file',
    check: 'Check rows',
    checked: (p: { count: number }) =>
      p.count === 1 ? '1 row is ready to import.' : `${p.count} rows are ready to import.`,
    existing: 'Rows that already exist will be skipped.',
    submit: (p: { count: number }) => (p.count === 1 ? 'Import 1 row' : `Import ${p.count} rows`),
    cancel: 'Choose another file',
    empty: 'Choose a file or paste rows first.',
    invalid: (p: { problems: string }) => `Nothing was imported. ${p.problems}`,
    problem: (p: { line: string; column: string; message: string }) =>
      p.column === ''
        ? `Line ${p.line} ${p.message}.`
        : `Line ${p.line}, ${p.column}: ${p.message}.`,
    result: (p: { count: string }) => `Imported: ${p.count}.`,
    skipped: (p: { count: string }) => `Skipped rows: ${p.count}`,
    line: 'Line',
    reason: 'Reason',
    back: (p: { many: string }) => `Show all ${p.many}`,
    again: 'Import more',
  },
  entry: {
    edit: 'Edit',
    editTitle: (p: { name: string }) => `Edit ${p.name}`,
    /** Headings of what a form does. */
    points: { create: 'What happens next', update: 'What changes' },
    save: 'Save changes',
    delete: (p: { one: string }) => `Delete ${withoutArticle(p.one)}`,
    deleteShort: 'Delete',
    deleteTitle: (p: { name: string }) => `Delete ${p.name}?`,
    deleteWarning: 'This can’t be undone.',
    word: 'delete',
  },
  notices: {
    created: 'Added.',
    updated: 'Changes saved.',
    deleted: 'Deleted.',
  },
  values: { yes: 'Yes', no: 'No', none: '–', unchanged: 'Don’t change', usual: 'Default' },
  listHint: 'Separate several values with commas.',
};
