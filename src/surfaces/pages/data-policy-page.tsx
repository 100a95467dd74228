import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { contact, lastChanged, type PublicPage, sectioned, table } from './page-parts.tsx';

const contents = [
  ['Time, kind of event, site', 'The site'],
  ['Host, path and query of the page. Parameters that look like secrets are removed', 'The site'],
  ['Title, and the page or campaign that led to it', 'The site'],
  [
    'Properties, revenue, scroll depth, time spent, loading times, if the site sends them',
    'The site',
  ],
  ['Browser, system and kind of device, with versions', 'The browser’s User-Agent'],
  ['Screen size and language', 'The browser'],
  ['Country', 'The network address, looked up on our own machine'],
  ['A visitor number and a visit number', 'See below'],
];

const visitors = (
  <>
    <p>
      No cookie is set or read, and nothing is stored in the browser. The visitor number is a hash
      of the network address (of IPv6 its first half), the User-Agent, the site and a random number
      of the day. The address itself is never written to disk. The random number is destroyed within
      48 hours; from then on nobody, we included, can tell which address a visitor number came from.
      The same person has another number on every site, and on every day.
    </p>
    <p>
      A site can name a person that it knows itself, with an id of its own choice. Such a person is
      recognised on all days and devices of that site. The site has to tell its visitors, and must
      not use names, addresses or numbers for ids.
    </p>
    <p>
      A browser that sends Global Privacy Control (<code>Sec-GPC: 1</code>) is counted as a page
      view only: there is no visitor number and no id, unless the operator has switched this off for
      the site. For Do Not Track the operator can switch the same on.
    </p>
  </>
);

/** The page on the data that analytics stores about visitors of sites. */
export function dataPolicyPage(facts: SiteFacts): PublicPage {
  const { appName } = facts;
  return {
    path: '/data-policy',
    title: 'Data policy',
    description:
      `Which data the analytics of ${appName} keep about the visitors of a site: no cookies, ` +
      'no network addresses, and no way to follow anybody from one day to the next.',
    heading: (
      <>
        <h1>Data policy</h1>
        <p class="lead">
          Sites and apps send {escapeHtml(appName)} what happens on them, to count it. This page
          says what is kept of their visitors. What is kept of people with an account here is under{' '}
          <a href="/privacy">Privacy</a>.
        </p>
      </>
    ),
    ...sectioned([
      {
        id: 'events',
        title: 'What an event consists of',
        body: (
          <>
            {table(
              ['What', 'Where it comes from'],
              contents.map((row) => row.map(escapeHtml)),
            )}
          </>
        ),
      },
      {
        id: 'visitors',
        title: 'How visitors are counted',
        body: visitors,
      },
      {
        id: 'how-long',
        title: 'How long, and where',
        body: (
          <p>
            Events are kept until the operator of this server deletes them: there is no fixed end.
            They lie in files on the machines of this server, and go to no other company. Ids that
            sites give to events, so that each counts once, are remembered for as long as the
            operator has set, a day by default.
          </p>
        ),
      },
      {
        id: 'who',
        title: 'Who sees it',
        body: (
          <p>
            People of the operator’s team with the right to read figures, on a device that was
            cleared, and programs with a key that allows it. Figures can be exported by the same
            people, event by event.
          </p>
        ),
      },
      {
        id: 'contact',
        title: 'Questions and requests',
        body: (
          <>
            <p>
              Events without an id of the site’s own can’t be found again by person: there is
              nothing in them to look for. For events with one, ask the site, which knows the id.
            </p>
            {contact(facts)}
            {lastChanged}
          </>
        ),
      },
    ]),
  };
}
