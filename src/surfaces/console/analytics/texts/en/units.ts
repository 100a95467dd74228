/** Units of time within sentences. */
export const cohortUnits = { day: 'day', week: 'week', month: 'month' };
