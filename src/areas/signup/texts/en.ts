/** Texts of the pages for signing up. */
export const texts = {
  signups: {
    one: 'a sign-up',
    many: 'sign-ups',
    description: 'People who signed up with their email address, confirmed or not.',
    fields: {
      id: 'Id',
      email: 'Email',
      name: 'Name',
      company: 'Company',
      phone: 'Phone',
      plan: 'Plan',
      referral_code: 'Referral code',
      consent_at: 'Consent given',
      created_at: 'Signed up',
      confirmed_at: 'Confirmed',
      confirmed: 'Confirmed',
    },
    values: { confirmed_at: { set: 'Confirmed', unset: 'Unconfirmed' } },
    none: 'No sign-ups yet.',
    points: {
      delete: [
        'What they entered is deleted: name, company, phone number and plan.',
        'If the address isn’t confirmed yet, the link in their email stops working.',
        'An account with this address stays. They can sign up again.',
      ],
    },
  },
  start: {
    title: 'Create your account',
    lead: 'Enter your email address. We’ll send you a code, and you’re in.',
    submit: 'Send code',
    next: {
      title: 'What happens next',
      steps: [
        'You get an email with a code. Enter it on the next page.',
        'You’re signed in to your account. There is no password to choose.',
        'There, you can set up 2FA to protect your account.',
      ],
    },
    /** `terms` and `privacy` lead to those pages. */
    terms:
      'By continuing, you agree to the <terms>terms</terms> and have read the ' +
      '<privacy>privacy policy</privacy>.',
  },
  signUp: {
    title: 'Sign up',
    description: 'Sign up with your email address. No password needed.',
    lead: 'We’ll email you a link to confirm your address. No password needed.',
    waitlist:
      'We invite people in batches. Sign up to join the waitlist. If you’ve already been ' +
      'invited, you’ll get your link right away.',
    submit: 'Sign up',
    /** `link` leads to the sign-in page. */
    haveAccount: 'Already signed up? <link>Sign in</link>',
    plan: (p: { plan: string }) => `Plan: ${p.plan}`,
    planRemoved: 'This plan doesn’t exist. You can still sign up without it.',
    /** `terms` and `privacy` lead to those pages. */
    consent:
      'I agree to the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.',
    trap: 'Leave this empty',
    back: 'Go to sign-up',
  },
  fields: {
    email: 'Email',
    name: 'Name (optional)',
    nameHint: 'What we should call you.',
    company: 'Company (optional)',
    companyHint: 'The company you work for.',
    phone: 'Phone number (optional)',
    phoneHint: 'Start with the country code: +1 415 555 0132.',
    referralCode: 'Referral code (optional)',
    referralCodeHint: 'If someone gave you one.',
  },
  errors: {
    email: 'Enter an email address like name@example.com.',
    name: 'Use at most 200 characters, on one line.',
    company: 'Use at most 200 characters, on one line.',
    phone: 'Enter a phone number with its country code, like +1 415 555 0132.',
    plan: 'This plan doesn’t exist.',
    referralCode: 'Use only letters, digits, dots, dashes and underscores, up to 64 characters.',
    consent: 'Agree to the terms to sign up.',
  },
  closed: {
    text: 'Sign-up is closed because this service can’t send confirmation emails.',
    /** `link` leads to the sign-in page. */
    ask: 'Ask an admin for access. Already have access? <link>Sign in</link>',
  },
  byInvitation: {
    text: 'You need an invitation to sign up here.',
    /** `link` leads to the sign-in page. */
    ask:
      'Ask an admin to invite your email address. Already have an account? ' +
      '<link>Sign in</link>',
  },
  asked: {
    title: 'Check your inbox',
    text:
      'If this address isn’t signed up yet, we’ve sent it a link. Open the link within 24 hours ' +
      'to finish signing up.',
    /** `link` leads to the sign-in page. */
    noMessage:
      'Nothing after a few minutes? Check your spam folder, or sign up again in 10 minutes. ' +
      'Already signed up? <link>Sign in</link>',
  },
  confirm: {
    title: 'Confirm your email address',
    text: 'Do you want to sign up with the address that received this link?',
    submit: 'Confirm and sign up',
  },
  confirmed: {
    title: 'You’re signed up',
    text: 'Your email address is confirmed. Now sign in with it, and we’ll send you a code.',
    signIn: 'Sign in',
  },
};
