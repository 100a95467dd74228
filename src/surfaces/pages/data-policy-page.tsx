import { escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { SiteFacts } from './facts.ts';
import {
  contact,
  inlineCode,
  lastChanged,
  legalDate,
  linkTo,
  type PublicPage,
  type Section,
  sectioned,
  table,
} from './page-parts.tsx';
import { texts } from './texts/en/data-policy.ts';

const { events, visitors, retention, access } = texts;

const sections: Section[] = [
  {
    id: 'events',
    title: events.title,
    body: table({ ...events, rows: events.rows.map((row) => row.map(escapeHtml)) }),
  },
  {
    id: 'visitors',
    title: visitors.title,
    body: (
      <>
        {visitors.paragraphs.map((text) => (
          <p>{rich(text, { code: inlineCode })}</p>
        ))}
      </>
    ),
  },
  { id: 'how-long', title: retention.title, body: <p safe>{retention.text}</p> },
  { id: 'who', title: access.title, body: <p safe>{access.text}</p> },
];

/** The page on the data that analytics stores about visitors of sites. */
export function dataPolicyPage(facts: SiteFacts): PublicPage {
  const { appName } = facts;
  return {
    path: '/data-policy',
    lastModified: legalDate,
    title: texts.title,
    description: texts.description({ appName }),
    heading: (
      <>
        <h1 safe>{texts.title}</h1>
        <p class="lead">{rich(texts.lead, { link: linkTo('/privacy') })}</p>
      </>
    ),
    ...sectioned([
      ...sections,
      {
        id: 'contact',
        title: texts.contact.title,
        body: (
          <>
            <p safe>{texts.contact.text}</p>
            {contact(facts)}
            {lastChanged}
          </>
        ),
      },
    ]),
  };
}
