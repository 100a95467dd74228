/** The texts of the page of plans. */
export const texts = {
  title: 'Pricing',
  description: 'All plans, with their features and limits.',
  lead: (p: { plans: number }) =>
    p.plans === 1
      ? 'Everything is included. Run it on your own server, for as many people as you like.'
      : 'Pick the plan that fits. You can change it later.',
  free: 'Free',
  per: { month: 'per month', year: 'per year' },
  choose: (p: { plan: string }) => `Start with ${p.plan}`,
  getStarted: 'Get started',
  limits: 'Limits',
  /** The limits that the service knows, as sentences. Others are shown by their names. */
  limitSentences: {
    sites: (p: { count: string }) => `${p.count} sites`,
    events_per_batch: (p: { count: string }) => `${p.count} events in one request`,
    events_per_batch_with_key: (p: { count: string }) =>
      `${p.count} events in one request with an API key`,
    event_id_hours: (p: { count: string }) =>
      `An event sent twice within ${p.count} hours counts once`,
    codes_per_day_and_channel: (p: { count: string }) =>
      `${p.count} codes a day by email, and the same number by text message`,
    sessions_per_person: (p: { count: string }) => `${p.count} sessions per person`,
    passkeys_per_person: (p: { count: string }) => `${p.count} passkeys per person`,
    realtime_connections: (p: { count: string }) => `${p.count} realtime connections at once`,
  } as Readonly<Partial<Record<string, (p: { count: string }) => string>>>,
};
