import { mailtoUrl } from '../../lib/net/mailto.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { formatDate } from '../../platform/i18n/dates.ts';
import { Table } from '../../platform/ui/components/table.tsx';
import { Icon, type IconName } from '../../platform/ui/icon.tsx';
import { CodeBlock } from '../../platform/ui/components/code-block.tsx';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { SiteFacts } from './facts.ts';
import { texts } from './texts/en/site.ts';

/** A page of the site with its path. */
export interface PublicPage extends SitePage {
  path: string;
  description: string;
  /** When the text last changed, as a date (RFC 3339), if that is recorded. */
  lastModified?: string;
}

/** The date of the last change of the legal pages. */
const legalDate = '2026-11-25';

const lastChanged = (
  <p class="updated">
    {rich(texts.legal.lastUpdated, {
      date: () => (
        <time datetime={legalDate} safe>
          {formatDate(legalDate)}
        </time>
      ),
    })}
  </p>
);

/** A paragraph of a message with marks for code and for a link. */
export const paragraph = (text: string, href = ''): Html => (
  <p>{rich(text, { code: inlineCode, link: linkTo(href) })}</p>
);

/** The heading of a page, and a sentence about the page. */
export const headed = (title: string, lead: Html): Html => (
  <>
    <h1 safe>{title}</h1>
    <p class="lead">{lead}</p>
  </>
);

/** A list of sentences. */
export const bullets = (items: readonly string[]): Html => (
  <ul>
    {items.map((item) => (
      <li safe>{item}</li>
    ))}
  </ul>
);

const captions = { sh: texts.copy.shell, html: texts.copy.html, json: texts.copy.json };

/** A code block. The script of the page adds a copy button to its caption. */
export const code = (text: string, language: keyof typeof captions): Html => (
  <CodeBlock caption={captions[language]} code={text} language={language} />
);

export interface TextTable {
  /** For screen readers. It differs from the heading, which names the section. */
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly Html[])[];
}

/** A table of sentences. The first cell of each row is its header. */
export const table = ({ caption, columns, rows }: TextTable): Html => (
  <Table
    caption={caption}
    columns={columns.map((title, at) => ({ title, cell: (row: readonly Html[]) => row[at] }))}
    rows={rows}
  />
);

export interface Section {
  /** The anchor. */
  id: string;
  title: string;
  body: Html;
}

/** Renders a section of a page. */
export const section = ({ id, title, body }: Section): Html => (
  <section aria-labelledby={id}>
    <h2 id={id} safe>
      {title}
    </h2>
    {body}
  </section>
);

/** Renders sections: the body, and their table of contents for the sidebar. */
export function sectioned(sections: readonly Section[]): { aside: Html; body: Html } {
  return {
    aside: (
      <nav class="contents" aria-label={texts.onThisPage}>
        <p safe>{texts.onThisPage}</p>
        <ul>
          {sections.map(({ id, title }) => (
            <li>
              <a href={`#${id}`} safe>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    ),
    body: <>{sections.map(section)}</>,
  };
}

/** The contact details of the operator. */
function contact({ legalName, legalAddress: address, contactEmail: email }: SiteFacts): Html {
  const { operator, operatorWithAddress, email: emailText, noEmail } = texts.legal;
  return (
    <p>
      {escapeHtml(
        address === undefined
          ? operator({ legalName })
          : operatorWithAddress({ legalName, address }),
      )}{' '}
      {email === undefined
        ? rich(noEmail, { link: linkTo('/contact') })
        : rich(emailText({ email }), { link: linkTo(mailtoUrl(email)) })}
    </p>
  );
}

interface LegalPage {
  path: string;
  texts: { title: string; description: (names: { appName: string }) => string };
  lead: Html;
  sections: readonly Section[];
  contactTitle: string;
  contactLead?: Html;
}

/** A page about rights and duties: its sections, then the operator and the date. */
export function legalPage(
  facts: SiteFacts,
  { path, texts: own, lead, sections, contactTitle, contactLead }: LegalPage,
): PublicPage {
  const body = (
    <>
      {contactLead}
      {contact(facts)}
      {lastChanged}
    </>
  );
  return {
    path,
    lastModified: legalDate,
    title: own.title,
    description: own.description(facts),
    heading: headed(own.title, lead),
    ...sectioned([...sections, { id: 'contact', title: contactTitle, body }]),
  };
}

export interface Card {
  href: string;
  icon: IconName;
  title: string;
  text: string;
}

/** A list of cards. The whole card is a link. */
export const cards = (entries: readonly Card[]): Html => (
  <ul class="cards">
    {entries.map(({ href, icon, title, text }) => (
      <li>
        <span class="symbol">
          <Icon name={icon} />
        </span>
        <h3>
          <a href={href} safe>
            {title}
          </a>
        </h3>
        <p safe>{text}</p>
      </li>
    ))}
  </ul>
);
