import { escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { linkTo } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import { legalPage, paragraph, type PublicPage, type Section, table } from './page-parts.tsx';
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
    body: <>{visitors.paragraphs.map((text) => paragraph(text))}</>,
  },
  { id: 'how-long', title: retention.title, body: <p safe>{retention.text}</p> },
  { id: 'who', title: access.title, body: <p safe>{access.text}</p> },
];

/** The page on the data that analytics stores about visitors of sites. */
export const dataPolicyPage = (facts: SiteFacts): PublicPage =>
  legalPage(facts, {
    path: '/data-policy',
    texts,
    lead: rich(texts.lead, { link: linkTo('/privacy') }),
    sections,
    contactTitle: texts.contact.title,
    contactLead: <p safe>{texts.contact.text}</p>,
  });
