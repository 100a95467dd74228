/** Titles and descriptions of public pages that other parts of the service show. */
export const texts = {
  developers: {
    title: 'Developers',
    description: 'Guides, API reference and error codes.',
  },
  guides: { title: 'Guides', description: 'All guides, by subject.' },
  reference: { title: 'API reference', description: 'Every API operation.' },
  errors: { title: 'Error codes', description: 'Every error code and what it means.' },
  changelog: { title: 'Changelog', description: 'What changed, newest first.' },
  status: { title: 'Status', description: 'Service status and current incidents.' },
  statusHistory: { title: 'Incident history', description: 'Past incidents and maintenance.' },
  signIn: { title: 'Sign in', description: 'Sign in with a code or an identity provider.' },
  pricing: { title: 'Pricing', description: 'All plans, with their features and limits.' },
  signUp: { title: 'Sign up', description: 'Sign up with your email address.' },
  waitlist: {
    title: 'Join the waitlist',
    description: 'Join the waitlist with your email address. Invite friends to move up.',
  },
  contact: {
    title: 'Contact us',
    description: 'Send us a message. We reply by email.',
  },
  deliverability: {
    title: 'Check a postal code',
    description: 'Check a postal code and see whether parcels are delivered there.',
  },
  feeds: { changelog: 'Changelog', status: 'Status' },
};
