import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { themeCookie } from '../../platform/ui/theme.ts';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import {
  bullets,
  legalPage,
  paragraph,
  type PublicPage,
  type Section,
  table,
} from './page-parts.tsx';
import { texts } from './texts/en/privacy.ts';

const { summary, cookies, stored, others, rights } = texts;

function cookieTable(baseUrl: string): Html {
  // Over HTTPS, the prefix keeps other hosts from setting these cookies.
  const prefix = baseUrl.startsWith('https:') ? '__Host-' : '';
  const row = (name: Html, { purpose, lifetime }: { purpose: string; lifetime: string }) => [
    name,
    escapeHtml(purpose),
    escapeHtml(lifetime),
  ];
  const named = (name: string) => inlineCode(escapeHtml(name));
  const session =
    prefix === '' ? (
      named('svc_session')
    ) : (
      <>
        {named('__Host-svc_session')}, {named('svc_session')}
      </>
    );
  const rows = [
    row(session, cookies.session),
    row(named(`${prefix}svc_known`), cookies.known),
    row(named(`${prefix}svc_device`), cookies.device),
    row(named('svc_share'), cookies.share),
    row(named('svc_waitlist'), cookies.waitlist),
    row(named(`${prefix}svc_oauth`), cookies.oauth),
    row(named(themeCookie), cookies.theme),
  ];
  return table({ caption: cookies.caption, columns: cookies.columns, rows });
}

const cookieSection = (baseUrl: string): Section => ({
  id: 'cookies',
  title: cookies.title,
  body: (
    <>
      <p safe>{cookies.lead}</p>
      {cookieTable(baseUrl)}
      <p safe>{cookies.key}</p>
    </>
  ),
});

const otherSections: Section[] = [
  {
    id: 'kept',
    title: stored.title,
    body: (
      <>
        {table({ ...stored, rows: stored.rows.map((row) => row.map(escapeHtml)) })}
        <p safe>{stored.log}</p>
      </>
    ),
  },
  { id: 'others', title: others.title, body: <p safe>{others.text}</p> },
  { id: 'rights', title: rights.title, body: paragraph(rights.text, '/account') },
];

/** The page on the data that is stored about users of the service. */
export const privacyPage = (facts: SiteFacts): PublicPage =>
  legalPage(facts, {
    path: '/privacy',
    texts,
    lead: rich(texts.lead, { link: linkTo('/data-policy') }),
    sections: [
      { id: 'short', title: summary.title, body: bullets(summary.items) },
      cookieSection(facts.baseUrl),
      ...otherSections,
    ],
    contactTitle: texts.controller,
  });
