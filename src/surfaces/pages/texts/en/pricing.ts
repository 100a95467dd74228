/** The texts of the page of plans. */
export const texts = {
  title: 'Pricing',
  description: 'The plans, with their features and limits.',
  lead: 'Every plan has every feature. They differ in how much of it you use.',
  free: 'Free',
  per: { month: 'per month', year: 'per year' },
  choose: (p: { plan: string }) => `Start with ${p.plan}`,
  limits: 'Limits',
};
