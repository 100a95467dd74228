/** The texts of the search over all pages. */
export const texts = {
  recent: 'Recent',
  searching: 'Searching…',
  more: 'Type at least 2 characters.',
  nothing: (p: { text: string }) => `Nothing found for “${p.text}”`,
  everything: 'All pages and actions',
  failed: 'Search isn’t available right now. Try again.',
  count: (p: { count: number }) =>
    p.count === 1 ? '1 result' : p.count === 0 ? 'No results' : `${p.count} results`,
};
