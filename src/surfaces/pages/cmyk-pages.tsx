import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { code, type PublicPage } from './page-parts.tsx';
import { snippets } from './snippets.ts';

const endpoints: readonly (readonly [call: string, body: string, what: string])[] = [
  ['GET /api/auth/cmyk', 'nothing', 'The page for signing in, for apps that open a browser'],
  ['POST /api/auth/cmyk/phone', 'phone', 'Sends a code by SMS'],
  ['POST /api/auth/cmyk/verify', 'phone, code, verification_id (optional)', 'Signs in'],
  ['POST /api/auth/cmyk/phone-only', 'phone, then phone and code', 'Both, at one path'],
  [
    'POST /api/auth/cmyk/idp/initiate',
    'redirect_uri and code_challenge for native apps',
    'Begins a sign-in at the identity provider',
  ],
  ['GET /api/auth/cmyk/idp/callback', 'code and state, in the query', 'Completes it'],
  ['POST /api/cmyk/auth/otp/send', 'phone', 'Sends a code by SMS; for the mobile client'],
  [
    'POST /api/cmyk/auth/otp/verify',
    'phone, code, verification_id (optional)',
    'Signs in; for the mobile client',
  ],
];

/** The page that presents the sub-product. */
export function cmykPage({ appName }: SiteFacts): PublicPage {
  return {
    path: '/cmyk/',
    title: 'cmyk',
    description:
      `cmyk is the part of ${appName} that signs people in to mobile apps: by phone number, ` +
      'or through an identity provider.',
    heading: (
      <>
        <h1>cmyk: sign-in for mobile apps</h1>
        <p class="lead">
          The part of {escapeHtml(appName)} that lets people into an app with their phone number, or
          through an identity provider.
        </p>
      </>
    ),
    body: (
      <>
        <p class="actions">
          <a class="button" href="/cmyk/docs/">
            Read the documentation
          </a>{' '}
          <a class="button second" href="/api/auth/cmyk">
            Open the sign-in page
          </a>
        </p>
        <h2>How it works</h2>
        <ol>
          <li>
            The app sends the phone number. The service answers at once, and the same for everybody.
          </li>
          <li>
            A code of six digits arrives by SMS. It is good for five minutes, once. iOS and Chrome
            on Android offer it by themselves.
          </li>
          <li>
            The app sends the code back and gets an access token for 15 minutes and a refresh token
            for 30 days.
          </li>
        </ol>
        <p>
          There is no sign-up: who signs in for the first time has an account from then on. Whoever
          has set up a second factor is asked for it here too.
        </p>
        <h2>What is taken care of</h2>
        <ul>
          <li>
            Five tries for a code, and a <code>verification_id</code> so that a stranger can’t use
            them up.
          </li>
          <li>Limits for each number, each network and each country, against floods of SMS.</li>
          <li>Refresh tokens that notice when two parties hold the same one.</li>
        </ul>
      </>
    ),
  };
}

/** The documentation of its API. */
export function cmykDocsPage({ appName, baseUrl }: SiteFacts): PublicPage {
  const { sendSms, sendSmsAnswer, verifySms } = snippets(baseUrl);
  return {
    path: '/cmyk/docs/',
    title: 'cmyk documentation',
    description:
      `The calls of cmyk, the sign-in of ${appName} for mobile apps: send a code by SMS, ` +
      'verify it, or sign in through an identity provider.',
    heading: (
      <>
        <h1>cmyk documentation</h1>
        <p class="lead">Two calls sign a person in. All bodies are JSON.</p>
      </>
    ),
    body: (
      <>
        <h2>Send a code</h2>
        {code(sendSms, 'sh')}
        {code(sendSmsAnswer, 'json')}
        <p>
          Keep <code>verification_id</code>: with it nobody else can use up your tries.
        </p>
        <h2>Sign in with it</h2>
        {code(verifySms, 'sh')}
        <p>
          The answer has <code>access_token</code>, <code>refresh_token</code> and <code>user</code>
          . A code that is wrong, too old, used, or was never sent is always 400{' '}
          <code>otp.invalid</code>. Where <code>status</code> is <code>mfa_required</code>, there is
          a second factor to ask for: see the <a href="/developer/guides/second-factor">guide</a>.
        </p>
        <h2>All calls</h2>
        <ul class="entries">
          {endpoints.map(([call, body, what]) => (
            <li>
              <code safe>{call}</code>
              <p>
                {escapeHtml(what)}. Takes {escapeHtml(body)}.
              </p>
            </li>
          ))}
        </ul>
        <p>
          What is below <code>/api/auth/</code> is also below <code>/auth/</code>.
        </p>
        <h2>Read on</h2>
        <ul>
          <li>
            <a href="/developer/guides/one-time-codes">One-time codes</a>: limits, text messages, an
            example in TypeScript
          </li>
          <li>
            <a href="/developer/guides/sign-in">Sign-in and sessions</a>: new tokens for old ones,
            signing out
          </li>
          <li>
            <a href="/developer/reference">API reference</a>: every field and every error
          </li>
        </ul>
      </>
    ),
  };
}
