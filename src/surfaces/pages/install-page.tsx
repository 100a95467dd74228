import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { code, type PublicPage, type Section, sectioned } from './page-parts.tsx';
import { messagesTag, type Script, snippets } from './snippets.ts';

type Snippets = ReturnType<typeof snippets>;

const analytics = (own: Snippets): Section[] => [
  {
    id: 'pixel',
    title: 'Count page views',
    body: (
      <>
        <p>
          One tag, 1.5 KB. It also tells how long pages are read, which links lead away, which files
          are loaded, and sends <a href="/developer/guides/website-script">your own events</a>. Put
          it into the head of every page:
        </p>
        {code(own.script, 'html')}
        <p>Or a picture of one pixel, without any script, at the end of every page:</p>
        {code(own.pixel, 'html')}
        <p>
          A site is known from its first event on, unless the operator has closed registration. No
          cookie is read or set. If your pages have a content security policy, allow this server in{' '}
          <code>script-src</code> and <code>connect-src</code>, for the picture in{' '}
          <code>img-src</code>.
        </p>
      </>
    ),
  },
  {
    id: 'events',
    title: 'Send events',
    body: (
      <>
        <p>From a server, or from an app:</p>
        {code(own.track, 'sh')}
        {code(own.trackAnswer, 'json')}
        <p>Many at once:</p>
        {code(own.batch, 'sh')}
        {code(own.batchAnswer, 'json')}
        <p>
          Events from <code>curl</code> are kept as those of a bot and left out of the figures. Give
          an event an <code>id</code> (a UUID), and you may send it again as often as you like: it
          counts once. All fields are in the{' '}
          <a href="/developer/guides/analytics">guide to analytics</a>.
        </p>
      </>
    ),
  },
];

const signIn = (own: Snippets): Section => ({
  id: 'codes',
  title: 'Sign people in',
  body: (
    <>
      <p>Ask for a one-time code. The answer is the same whether anybody is known there or not:</p>
      {code(own.sendCode, 'sh')}
      {code(own.sendCodeAnswer, 'json')}
      <p>
        Send back the code of the message with the <code>verification_id</code> of the answer:
      </p>
      {code(own.verifyCode, 'sh')}
      <p>
        The answer has an <code>access_token</code> for 15 minutes and a <code>refresh_token</code>{' '}
        for 30 days. Who is it?
      </p>
      {code(own.whoAmI, 'sh')}
      <p>
        The same works by SMS: send <code>phone</code> to <code>/api/auth/mobile/initiate</code> and{' '}
        <code>/api/auth/mobile/verify</code>. Limits and error codes are in the{' '}
        <a href="/developer/guides/one-time-codes">guide to one-time codes</a>.
      </p>
    </>
  ),
});

const realtime = (tag: string): Section => ({
  id: 'realtime',
  title: 'Hear what happens',
  body: (
    <>
      <p>
        This tells a page of yours how the service is, as soon as it changes. The script reconnects
        by itself, and its <code>integrity</code> makes sure that it is this one:
      </p>
      {code(tag, 'html')}
      <p>
        Other channels, and clients for apps, are in the{' '}
        <a href="/developer/guides/realtime">guide to realtime</a>.
      </p>
    </>
  ),
});

const ownServer: Section = {
  id: 'own',
  title: 'Run your own',
  body: (
    <>
      <p>All of this is one program. On a machine with Node.js 20.19 or newer, in its folder:</p>
      {code('npm start', 'sh')}
      <p>It brings its stores along and prints where everything is.</p>
    </>
  ),
};

/** The page on using this server from a site or an app, with its URL in all examples. */
export function installPage({ appName, baseUrl }: SiteFacts, messages: Script): PublicPage {
  const own = snippets(baseUrl);
  return {
    path: '/install',
    title: 'Install',
    description:
      `Add ${appName} to a site or an app: count page views, send events, sign people in ` +
      'with one-time codes, and hear what happens.',
    heading: (
      <>
        <h1>Add {escapeHtml(appName)} to your site or app</h1>
        <p class="lead">
          Copy what you need. The address of this server is filled in; put the name of your site in
          the place of <code>my-site</code>.
        </p>
      </>
    ),
    ...sectioned([
      ...analytics(own),
      signIn(own),
      realtime(messagesTag(baseUrl, messages)),
      ownServer,
    ]),
  };
}
