import { rich } from '../../lib/text/rich.ts';
import { inlineCode } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import {
  code,
  headed,
  paragraph,
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
        {paragraph(texts.pixel.script, '/developer/guides/website-script')}
        {code(own.script, 'html')}
        <p safe>{texts.pixel.pixel}</p>
        {code(own.pixel, 'html')}
        {paragraph(texts.pixel.notes)}
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
        {paragraph(texts.events.notes, '/developer/guides/analytics')}
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
      {paragraph(texts.signIn.verify)}
      {code(own.verifyCode, 'sh')}
      {paragraph(texts.signIn.token)}
      {code(own.whoAmI, 'sh')}
      {paragraph(texts.signIn.phone, '/developer/guides/one-time-codes')}
    </>
  ),
});

const realtime = (tag: string): Section => ({
  id: 'realtime',
  title: texts.realtime.title,
  body: (
    <>
      {paragraph(texts.realtime.lead)}
      {code(tag, 'html')}
      {paragraph(texts.realtime.more, '/developer/guides/realtime')}
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
    heading: headed(texts.heading({ appName }), rich(texts.lead, { code: inlineCode })),
    ...sectioned([
      ...analytics(own),
      signIn(own),
      realtime(messagesTag(baseUrl, messages)),
      ownServer,
    ]),
  };
}
