import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { formatMoney } from '../../../../platform/i18n/numbers.ts';

type Revenue = GoalReport['data'][number]['revenue'];

/** Amounts by currency: `€2,107.00, $30.00`. A dash without any. */
export const revenueText = (revenue: Revenue): string =>
  revenue.length === 0
    ? '–'
    : revenue.map(({ currency, amount }) => formatMoney(Number(amount), currency)).join(', ');
