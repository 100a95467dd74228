/** Texts of the generated pages of resources. */
export const texts = {
  index: {
    title: 'Records',
    lead: 'Everything that can be listed, exported and changed in bulk through the API.',
    open: (p: { many: string }) => `Open ${p.many}`,
  },
  list: {
    filters: 'Filters',
    search: (p: { searches: string }) => `Search ${p.searches}`,
    any: 'Any',
    sort: 'Order',
    ascending: (p: { field: string }) => `${p.field}, ascending`,
    descending: (p: { field: string }) => `${p.field}, descending`,
    apply: 'Apply',
    clear: 'Clear filters',
    noMatch: (p: { many: string }) => `No ${p.many} match these filters.`,
    shown: (p: { count: string }) => `${p.count} on this page`,
    create: (p: { one: string }) => `Add ${p.one}`,
    close: 'Close',
    callHint: 'To add the first one from a program:',
  },
  entry: {
    details: 'Details',
    edit: 'Edit',
    save: 'Save changes',
    delete: (p: { one: string }) => `Delete ${p.one}`,
    deleteWarning: 'This can’t be undone.',
    word: 'delete',
  },
  notices: {
    created: 'Added.',
    updated: 'Changes saved.',
    deleted: 'Deleted.',
  },
  values: { yes: 'Yes', no: 'No', none: '–', unchanged: 'Don’t change' },
  listHint: 'Separate several values with commas.',
};
