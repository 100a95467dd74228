import { escapeHtml, type Html } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { SiteFacts } from './facts.ts';

/** A page of the site with its path. */
export interface PublicPage extends SitePage {
  path: string;
  description: string;
}

/** The date of the last change of the legal pages. */
export const lastChanged = (
  <p class="updated">
    Last changed on <time datetime="2026-11-22">22 November 2026</time>.
  </p>
);

/** A code block. It takes the focus, so that wide lines can be scrolled with the keyboard. */
export const code = (text: string, language: 'sh' | 'html' | 'json'): Html => (
  <pre tabindex="0">
    <code class={`language-${language}`} safe>
      {text}
    </code>
  </pre>
);

/** A table. The first cell of each row is its header. */
export function table(columns: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const row = ([first, ...cells]: readonly Html[]) => (
    <tr>
      <th scope="row">{first}</th>
      {cells.map((cell) => (
        <td>{cell}</td>
      ))}
    </tr>
  );
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" safe>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows.map(row)}</tbody>
    </table>
  );
}

export interface Section {
  /** The anchor. */
  id: string;
  title: string;
  body: Html;
}

/** Renders sections: the body, and their table of contents for the sidebar. */
export function sectioned(sections: readonly Section[]): { aside: Html; body: Html } {
  return {
    aside: (
      <nav class="contents" aria-label="On this page">
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
    body: (
      <>
        {sections.map(({ id, title, body }) => (
          <section aria-labelledby={id}>
            <h2 id={id} safe>
              {title}
            </h2>
            {body}
          </section>
        ))}
      </>
    ),
  };
}

/** The contact details of the operator. */
export function contact({ legalName, legalAddress, contactEmail }: SiteFacts): Html {
  const address = legalAddress === undefined ? '' : `, ${legalAddress}`;
  if (contactEmail === undefined)
    return (
      <p>
        The service is offered by {escapeHtml(legalName)}
        {escapeHtml(address)}. Turn to whoever gave you access to it.
      </p>
    );
  return (
    <p>
      The service is offered by {escapeHtml(legalName)}
      {escapeHtml(address)}. Write to{' '}
      <a href={`mailto:${contactEmail}`} safe>
        {contactEmail}
      </a>
      .
    </p>
  );
}

export interface Card {
  href: string;
  title: string;
  text: string;
}

/** A list of cards, each with a link. */
export const cards = (entries: readonly Card[]): Html => (
  <ul class="cards">
    {entries.map(({ href, title, text }) => (
      <li>
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
