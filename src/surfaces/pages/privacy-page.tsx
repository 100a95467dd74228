import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import {
  contact,
  lastChanged,
  type PublicPage,
  type Section,
  sectioned,
  table,
} from './page-parts.tsx';

function cookies(baseUrl: string) {
  // Over HTTPS, the prefix keeps other hosts from setting these cookies.
  const prefix = baseUrl.startsWith('https:') ? '__Host-' : '';
  return table(
    ['Cookie', 'What it is for', 'How long'],
    [
      [
        prefix === '' ? (
          <code>svc_session</code>
        ) : (
          <>
            <code>__Host-svc_session</code>, <code>svc_session</code>
          </>
        ),
        escapeHtml('Keeps you signed in.'),
        escapeHtml('24 hours, or until it was not used for one hour, or you sign out'),
      ],
      [
        <code>{escapeHtml(prefix)}svc_device</code>,
        escapeHtml('Recognises a device for which you have asked for clearance.'),
        escapeHtml('90 days'),
      ],
      [
        <code>svc_share</code>,
        escapeHtml('Shows that you know the password of a link to the figures of a site.'),
        escapeHtml('12 hours'),
      ],
      [
        <code>{escapeHtml(prefix)}svc_oauth</code>,
        escapeHtml('Leads you back to the right sign-in from your identity provider.'),
        escapeHtml('10 minutes'),
      ],
    ],
  );
}

const kept = [
  [
    'Your account: the e-mail address, phone number or identity provider’s account that you ' +
      'sign in with, and the name and picture which the provider may tell',
    'Until you ask us to delete it',
  ],
  [
    'Your sessions: when and how you signed in, the names of your browser and system',
    'Until they end: 24 hours for browsers, 30 days for apps',
  ],
  [
    'Second factors: the secret of an authenticator app (encrypted), public keys of passkeys, ' +
      'hashes of backup codes',
    'Until you remove them',
  ],
  [
    'Devices that you asked clearance for: name, browser and system, country, network (never ' +
      'a whole address), hashes of their secrets',
    '400 days after a device was removed, refused or suspended, or its clearance ended',
  ],
  [
    'The audit log: sign-ins and changes to an account, with the network address',
    '400 days; after 30 days only the network of the address',
  ],
  [
    'Messages that we sent: when and by which channel. The recipient is a keyed hash, the ' +
      'text is not kept',
    '30 days',
  ],
  [
    'Your address among those who get updates of the status',
    'Until you unsubscribe; unconfirmed ones are deleted after about a day',
  ],
  [
    'Your address among those who get reports of a site by e-mail',
    'Until an admin of the site deletes it; ended by you, it stays only so that it is not ' +
      'entered again',
  ],
  [
    'What you entered to sign up: e-mail address, and name, company, phone number, plan and ' +
      'referral code if you gave them',
    'Until you ask us to delete it; what is not confirmed is deleted after a week',
  ],
  [
    'What the payment provider reports about a plan of yours',
    '400 days; the plan itself as long as the account',
  ],
  [
    'Counters that stop abuse, by network address or by a hash of what is tried',
    'Minutes to a day; wrong codes in a row 90 days',
  ],
];

const summary: Section = {
  id: 'short',
  title: 'In short',
  body: (
    <ul>
      <li>Reading these pages sets no cookie. Nothing on them comes from another company.</li>
      <li>
        We keep what signing in and protecting your account needs, and most of it is deleted
        automatically.
      </li>
      <li>We don’t sell data, show no advertising, and make no profiles.</li>
    </ul>
  ),
};

const othersAndRights: Section[] = [
  {
    id: 'others',
    title: 'Who else sees it',
    body: (
      <p>
        The mail server and the SMS service that carry our messages see the address or number and
        the text. If you sign in through an identity provider, it knows that you did. If you pay for
        a plan, the payment provider handles that. Countries are looked up on our own machine.
        Nobody else gets anything, unless the law obliges us.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'What you can do',
    body: (
      <p>
        At <a href="/account">your account</a> you can see and end your sessions, and manage second
        factors and devices. You may ask us what we keep about you, and have it corrected, handed
        over or deleted. If you think that we handle your data wrongly, you may also turn to your
        data protection authority.
      </p>
    ),
  },
];

/** The page on the data that is stored about users of the service. */
export function privacyPage(facts: SiteFacts): PublicPage {
  const { appName, baseUrl } = facts;
  return {
    path: '/privacy',
    title: 'Privacy',
    description:
      `Which data ${appName} keeps about the people who use it, what for, and for how long. ` +
      'No cookies before you sign in, and nothing of other companies on any page.',
    heading: (
      <>
        <h1>Privacy</h1>
        <p class="lead">
          This page is about you: a visitor of these pages, or somebody with an account here. What{' '}
          {escapeHtml(appName)} counts for other sites is in the{' '}
          <a href="/data-policy">data policy</a>.
        </p>
      </>
    ),
    ...sectioned([
      summary,
      {
        id: 'cookies',
        title: 'Cookies',
        body: (
          <>
            <p>
              There are four. Each is needed for something that you asked for, and no script can
              read them:
            </p>
            {cookies(baseUrl)}
            <p>
              When you ask for clearance of a device, your browser also makes a key. It stays in the
              browser’s own storage until you clear it, and does not leave it.
            </p>
          </>
        ),
      },
      {
        id: 'kept',
        title: 'What is kept about you',
        body: (
          <>
            {table(
              ['What', 'How long'],
              kept.map((row) => row.map(escapeHtml)),
            )}
            <p>
              The service’s own log has a line for each request: method, path pattern, status,
              duration and a number. It has no addresses, no names and nothing that you entered.
            </p>
          </>
        ),
      },
      ...othersAndRights,
      {
        id: 'contact',
        title: 'Who is responsible',
        body: (
          <>
            {contact(facts)}
            {lastChanged}
          </>
        ),
      },
    ]),
  };
}
