import { rich } from '../../lib/text/rich.ts';
import type { SiteFacts } from './facts.ts';
import {
  code,
  inlineCode,
  linkTo,
  type PublicPage,
  type Section,
  sectioned,
} from './page-parts.tsx';
import { messagesTag, type Script, snippets } from './snippets.ts';
import { texts } from './texts/en/install.ts';

type Snippets = ReturnType<typeof snippets>;

const analytics = (own: Snippets): Section[] => [
  {
    id: 'pixel',
    title: texts.pixel.title,
    body: (
      <>
        <p>
          {rich(texts.pixel.script, {
            code: inlineCode,
            link: linkTo('/developer/guides/website-script'),
          })}
        </p>
        {code(own.script, 'html')}
        <p safe>{texts.pixel.pixel}</p>
        {code(own.pixel, 'html')}
        <p>{rich(texts.pixel.notes, { code: inlineCode })}</p>
      </>
    ),
  },
  {
    id: 'events',
    title: texts.events.title,
    body: (
      <>
        <p safe>{texts.events.one}</p>
        {code(own.track, 'sh')}
        {code(own.trackResponse, 'json')}
        <p safe>{texts.events.batch}</p>
        {code(own.batch, 'sh')}
        {code(own.batchResponse, 'json')}
        <p>
          {rich(texts.events.notes, {
            code: inlineCode,
            link: linkTo('/developer/guides/analytics'),
          })}
        </p>
      </>
    ),
  },
];

const signIn = (own: Snippets): Section => ({
  id: 'codes',
  title: texts.signIn.title,
  body: (
    <>
      <p safe>{texts.signIn.send}</p>
      {code(own.sendCode, 'sh')}
      {code(own.sendCodeResponse, 'json')}
      <p>{rich(texts.signIn.verify, { code: inlineCode })}</p>
      {code(own.verifyCode, 'sh')}
      <p>{rich(texts.signIn.token, { code: inlineCode })}</p>
      {code(own.whoAmI, 'sh')}
      <p>
        {rich(texts.signIn.phone, {
          code: inlineCode,
          link: linkTo('/developer/guides/one-time-codes'),
        })}
      </p>
    </>
  ),
});

const realtime = (tag: string): Section => ({
  id: 'realtime',
  title: texts.realtime.title,
  body: (
    <>
      <p>{rich(texts.realtime.lead, { code: inlineCode })}</p>
      {code(tag, 'html')}
      <p>{rich(texts.realtime.more, { link: linkTo('/developer/guides/realtime') })}</p>
    </>
  ),
});

const ownServer: Section = {
  id: 'own',
  title: texts.ownServer.title,
  body: (
    <>
      <p safe>{texts.ownServer.lead}</p>
      {code('npm start', 'sh')}
      <p safe>{texts.ownServer.after}</p>
    </>
  ),
};

/**
 * The page on using this server from a site or an app, with its URL in all examples.
 */
export function installPage({ appName, baseUrl }: SiteFacts, messages: Script): PublicPage {
  const own = snippets(baseUrl);
  return {
    path: '/install',
    title: texts.title,
    description: texts.description({ appName }),
    script: 'pages.js',
    heading: (
      <>
        <h1 safe>{texts.heading({ appName })}</h1>
        <p class="lead">{rich(texts.lead, { code: inlineCode })}</p>
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
