/** Texts of the pages that are made from operations. */
export const texts = {
  title: 'Actions',
  lead: 'Further operations of the API, each with a form.',
  again: 'Run again',
  result: 'Result',
  noResult: 'Done.',
  word: 'delete',
  warning: 'This can’t be undone.',
};
