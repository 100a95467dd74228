/** The texts of the privacy notice. */
export const texts = {
  title: 'Privacy',
  description: (p: { appName: string }) =>
    `What data ${p.appName} stores about its users, why and for how long. No cookies before you ` +
    'sign in, and no third-party content on any page.',
  lead:
    'This notice is for visitors to these pages and people with an account. For visitors ' +
    'to sites that use our analytics, see the <link>data policy</link>.',
  summary: {
    title: 'In short',
    items: [
      'Reading these pages sets no cookies. They contain no third-party content.',
      'We store what we need to sign you in and protect your account. Most of it is deleted ' +
        'automatically.',
      'We do not sell data, show ads or create profiles.',
    ],
  },
  cookies: {
    title: 'Cookies',
    lead: 'Each cookie is needed for something you requested, and scripts can’t read any of them:',
    caption: 'List of cookies',
    columns: ['Cookie', 'Purpose', 'Lifetime'],
    session: {
      purpose: 'Keeps you signed in.',
      lifetime: '24 hours. Ends earlier after one hour of inactivity, or when you sign out',
    },
    known: {
      purpose:
        'Recognizes a browser that you have signed in from before, so that wrong codes entered ' +
        'by others don’t lock you out.',
      lifetime: '180 days',
    },
    device: {
      purpose: 'Recognizes a device for which you requested approval.',
      lifetime: '90 days',
    },
    share: {
      purpose: 'Confirms that you entered the password for a shared analytics link.',
      lifetime: '12 hours',
    },
    oauth: {
      purpose: 'Links your return from the identity provider to the sign-in you started.',
      lifetime: '10 minutes',
    },
    waitlist: {
      purpose: 'Shows your place on the waitlist in the browser where you confirmed it.',
      lifetime: '90 days',
    },
    theme: {
      purpose: 'Remembers the light or dark theme that you chose.',
      lifetime: 'One year',
    },
    key:
      'When you request approval for a device, your browser also creates a key. The key stays in ' +
      'the browser’s storage until you clear it, and never leaves the browser.',
  },
  stored: {
    title: 'Data we store about you',
    caption: 'Stored data and retention',
    columns: ['Data', 'Retention'],
    rows: [
      [
        'Your account: the email address, phone number or identity provider account that you ' +
          'sign in with, and the name and picture that the provider may share',
        'Until you ask us to delete it',
      ],
      [
        'Your sessions: when and how you signed in, and the names of your browser and operating ' +
          'system',
        'Until they end: 24 hours for browsers, 30 days for apps',
      ],
      [
        'Second factors: the secret for an authenticator app (encrypted), public keys of ' +
          'passkeys, hashes of backup codes',
        'Until you remove them',
      ],
      [
        'Devices for which you requested approval: name, browser and operating system, country, ' +
          'network part of your IP address, hashes of their secrets',
        '400 days after the device was removed, denied or suspended, or its approval ended',
      ],
      [
        'The audit log: sign-ins and account changes, with the IP address',
        '400 days; after 30 days only the network part of the address',
      ],
      [
        'Messages we sent: time and channel. The recipient is stored only as a keyed ' +
          'hash; the text is not stored',
        '30 days',
      ],
      [
        'Your email address as a subscriber to status updates',
        'Until you unsubscribe; unconfirmed addresses are deleted after about a day',
      ],
      [
        'Your email address as a recipient of site reports',
        'Until an admin of the site deletes it. If you unsubscribe, it is kept only to ' +
          'prevent it from being added again',
      ],
      [
        'Your sign-up: email address, and name, company, phone number, plan and referral code if ' +
          'provided',
        'Until you ask us to delete it; unconfirmed sign-ups are deleted after a week',
      ],
      [
        'Your messages through the contact form: name, email address, subject, topic, text, the ' +
          'network part of your IP address, our email replies, and our notes about your messages',
        'Two years after the last change; 30 days for spam',
      ],
      [
        'Your place on the waitlist: email address, name if provided, details that the website ' +
          'added, who referred you, when and from which network (never a full address) you ' +
          'joined, and the version of the consent you gave',
        'Until you leave the waitlist with the link in any email; unconfirmed addresses ' +
          'are deleted after a week',
      ],
      [
        'Events from the payment provider about your plan',
        '400 days; the plan itself for as long as the account exists',
      ],
      [
        'Counters that prevent abuse, by IP address or by a hash of the value entered',
        'Minutes to a day; 90 days for consecutive wrong codes',
      ],
    ],
    log:
      'The service log has one line per request: method, path pattern, status, duration ' +
      'and a request ID. It contains no addresses, no names and nothing you entered.',
  },
  others: {
    title: 'Who else receives your data',
    text:
      'The mail server and the SMS provider that deliver our messages see the address or number ' +
      'and the text. If you sign in through an identity provider, it knows that you did. If you ' +
      'pay for a plan, the payment provider processes the payment. Countries are looked up on ' +
      'our own server. We share data with no one else unless the law requires it.',
  },
  rights: {
    title: 'Your rights',
    text:
      'In <link>your account</link> you can review and end your sessions, and manage ' +
      'second factors and devices. You can ask us what data we store about you, and have ' +
      'it corrected, exported or deleted. You can also complain to your data protection ' +
      'authority about how we handle your data.',
  },
  controller: 'Data controller',
};
