import { html, type Html, htmlText } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.ts';
import type { DescribedField, DescribedSchema, DescribedType } from './schema-description.ts';

/** URLs of the files of a page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
}

const scriptsOf = ({ scripts }: PageFiles): Html[] =>
  scripts.map((src) => html`\n<script defer src="${src}"></script>`);
const stylesOf = ({ styles }: PageFiles): Html[] =>
  styles.map((href) => html`\n<link rel="stylesheet" href="${href}">`);

const pathLink = html`<a href="/api/graphql/"><code>/api/graphql/</code></a>`;
const voyagerLink = html`<a href="/api/graphql/voyager/">The schema as a table</a>`;
const tablesLink = html`<a href="#tables">as tables</a>`;

/** The page of GraphiQL, which fills the whole window. */
export const graphiqlPage = (appName: string, files: PageFiles): string =>
  htmlText(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL – ${appName}</title>
<link rel="icon" href="data:,">${stylesOf(files)}${scriptsOf(files)}
</head>
<body>
<main id="graphiql" class="graphiql-place">
<h1>GraphQL</h1>
<p>GraphiQL needs JavaScript. ${voyagerLink} does not, nor does a POST to this address.</p>
</main>
</body>
</html>
`);

function typeLink({ text, name, isDescribed }: DescribedField['type']): Html {
  const [before = '', after = ''] = text.split(name, 2);
  return html`<code>${before}${
    isDescribed ? html`<a href="#${name}">${name}</a>` : name
  }${after}</code>`;
}

/** Renders text between backticks as code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const separated = (separator: string, parts: readonly Html[]): Html[] =>
  parts.map((part, at) => html`${at === 0 ? '' : separator}${part}`);

function argument({ name, type, defaultValue, description }: DescribedField['args'][number]): Html {
  const initially = defaultValue === undefined ? undefined : html` = <code>${defaultValue}</code>`;
  return html`\n<li><code>${name}</code>: ${typeLink(type)}${initially} –
${prose(description)}</li>`;
}

const argumentList = ({ args }: DescribedField): Html | undefined =>
  args.length === 0 ? undefined : html`\n<ul>${args.map(argument)}\n</ul>`;

function row(name: string, ...values: Html[]): Html {
  const cells = values.map((value) => html`<td>${value}</td>`);
  return html`\n<tr><th scope="row"><code>${name}</code></th>${cells}</tr>`;
}

const table = (caption: string, columns: readonly string[], rows: readonly Html[]) =>
  rows.length === 0
    ? undefined
    : html`
<table>
<caption class="spoken">${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}
</tbody>
</table>`;

const fieldTable = ({ name, fields }: DescribedType): Html | undefined =>
  table(
    `Fields of ${name}`,
    ['Field', 'Type', 'What it is'],
    fields.map((field) =>
      row(
        field.name,
        typeLink(field.type),
        html`${prose(field.description)}${argumentList(field)}`,
      ),
    ),
  );

const valueTable = ({ name, values }: DescribedType): Html | undefined =>
  table(
    `Values of ${name}`,
    ['Value', 'What it means'],
    values.map((value) => row(value.name, html`${prose(value.description)}`)),
  );

function interfaceList({ interfaces }: DescribedType): Html | undefined {
  const links = interfaces.map((name) => html`<a href="#${name}"><code>${name}</code></a>`);
  return links.length === 0 ? undefined : html` Is a ${separated(', ', links)}.`;
}

const typeSection = (type: DescribedType): Html => html`
<section class="schema" tabindex="0" aria-labelledby="${type.name}">
<h3 id="${type.name}">${type.kind} <code>${type.name}</code></h3>
<p>${prose(type.description)}${interfaceList(type)}</p>${fieldTable(type)}${valueTable(type)}
</section>`;

/** The schema page: a graph, which needs JavaScript, and tables, which do not. */
export function schemaPage({ types }: DescribedSchema, files: PageFiles): Page {
  const links = types.map(({ name }) => html`<a href="#${name}">${name}</a>`);
  const what = html`as a graph, and below it ${tablesLink} with everything that there is`;
  return {
    title: 'GraphQL schema',
    isWide: true,
    head: html`${stylesOf(files)}${scriptsOf(files)}`,
    body: html`<p>What ${pathLink} answers: ${what}.</p>
<div id="voyager" hidden></div>
<h2 id="tables">Types</h2>
<nav aria-label="Types"><p>${separated(' · ', links)}</p></nav>${types.map(typeSection)}`,
  };
}
