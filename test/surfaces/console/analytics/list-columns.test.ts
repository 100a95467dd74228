import { describe, expect, it } from 'vitest';
import {
  listColumns,
  orderText,
  readOrder,
  sortRows,
} from '../../../../src/surfaces/console/analytics/dashboard/list-columns.ts';

const rows = [
  { value: '/cart', visitors: 468, pageviews: 900 },
  { value: '/yarn', visitors: 519, pageviews: 700 },
  { value: '/about', visitors: 519, pageviews: 20, scroll_depth: null },
];
const namesBy = (order: Parameters<typeof sortRows>[2]) =>
  sortRows(rows, 'pages', order).map(({ value }) => value);

describe('the order of a list of figures', () => {
  it('has the largest first, and keeps rows alike as they were', () => {
    expect(namesBy({ by: 'visitors', isReversed: false })).toEqual(['/yarn', '/about', '/cart']);
    expect(namesBy({ by: 'pageviews', isReversed: true })).toEqual(['/about', '/yarn', '/cart']);
    expect(rows.map(({ value }) => value)).toEqual(['/cart', '/yarn', '/about']);
  });

  it('has names from A to Z', () => {
    expect(namesBy({ by: 'name', isReversed: false })).toEqual(['/about', '/cart', '/yarn']);
  });

  it('is read back from an address, and ignores columns that the list does not have', () => {
    const columns = listColumns('pages', false);
    const order = { by: 'visitors', isReversed: true } as const;
    expect(readOrder(orderText(order), columns)).toEqual(order);
    for (const text of [undefined, '', '--visitors', 'bounce_rate', 'constructor'])
      expect(readOrder(text, columns)).toBeUndefined();
  });

  it('begins with the column by which the figures are read', () => {
    const first = (name: Parameters<typeof listColumns>[0]) => listColumns(name, true)[0]?.figure;
    expect({
      pages: first('pages'),
      events: first('events'),
      sources: first('sources'),
    }).toEqual({ pages: 'pageviews', events: 'events', sources: 'visitors' });
  });
});
