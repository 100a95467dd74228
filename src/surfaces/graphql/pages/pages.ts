import { html, type Html, htmlText } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.ts';
import type { DescribedField, DescribedSchema, DescribedType } from './schema-description.ts';

/** Addresses of the files of a page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
}

const scriptsOf = ({ scripts }: PageFiles): Html[] =>
  scripts.map((src) => html`\n<script defer src="${src}"></script>`);
const stylesOf = ({ styles }: PageFiles): Html[] =>
  styles.map((href) => html`\n<link rel="stylesheet" href="${href}">`);

/** GraphiQL has the whole window for itself. */
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
<p>GraphiQL needs JavaScript. <a href="/api/graphql/voyager/">The schema as a table</a> does not, nor does a POST to this address.</p>
</main>
</body>
</html>
`);

/** GraphiQL's place is as high as the window; its own style sheet leaves that to the page. */
export const graphiqlStyle = `html, body, .graphiql-place { height: 100%; margin: 0; }
body { overflow: hidden; font-family: system-ui, sans-serif; }
`;

/** The graph has a height, and the tables can be scrolled sideways where the window is narrow. */
export const voyagerStyle = `#voyager { position: relative; height: 75vh; min-height: 26rem; margin: 0 0 2rem; overflow: hidden; color: #1a1c1f; background: #ffffff; border: 1px solid var(--line); border-radius: var(--radius); }
#voyager[hidden] { display: none; }
main.wide, body:has(main.wide) header { max-width: 76rem; }
.schema { overflow-x: auto; }
.graphql-voyager .doc-navigation { box-sizing: content-box; }
.schema table { width: 100%; margin: 0 0 1rem; border-collapse: collapse; }
.schema th, .schema td { padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
.schema td code, .schema th code { overflow-wrap: anywhere; font-size: .95rem; }
.schema thead th { white-space: nowrap; }
.schema th { width: 25%; }
.schema td:nth-of-type(1):not(:last-child) { width: 25%; }
.schema ul { margin: .25rem 0 0; padding: 0 0 0 1rem; }
@media (max-width: 40rem) {
  .schema tr, .schema th, .schema td:nth-of-type(1):not(:last-child) { width: auto; }
  .schema tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); } .schema th, .schema td { display: block; padding: 0; border: 0; } .schema thead { position: absolute; clip-path: inset(50%); } }
`;

function typeLink({ text, name, isOurs }: DescribedField['type']): Html {
  const [before = '', after = ''] = text.split(name, 2);
  return html`<code>${before}${isOurs ? html`<a href="#${name}">${name}</a>` : name}${after}</code>`;
}

/** What stands between backticks is code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const argumentList = ({ args }: DescribedField): Html | undefined =>
  args.length === 0
    ? undefined
    : html`\n<ul>${args.map((each) => html`\n<li><code>${each.name}</code>: ${typeLink(each.type)}${each.initially === undefined ? undefined : html` = <code>${each.initially}</code>`} – ${prose(each.description)}</li>`)}\n</ul>`;

const fieldRow = (field: DescribedField): Html =>
  html`\n<tr><th scope="row"><code>${field.name}</code></th><td>${typeLink(field.type)}</td><td>${prose(field.description)}${argumentList(field)}</td></tr>`;

const fieldTable = ({ name, fields }: DescribedType): Html | undefined =>
  fields.length === 0
    ? undefined
    : html`
<table>
<caption class="spoken">Fields of ${name}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
<tbody>${fields.map(fieldRow)}
</tbody>
</table>`;

const valueTable = ({ name, values }: DescribedType): Html | undefined =>
  values.length === 0
    ? undefined
    : html`
<table>
<caption class="spoken">Values of ${name}</caption>
<thead><tr><th scope="col">Value</th><th scope="col">What it means</th></tr></thead>
<tbody>${values.map((value) => html`\n<tr><th scope="row"><code>${value.name}</code></th><td>${prose(value.description)}</td></tr>`)}
</tbody>
</table>`;

const typeSection = (type: DescribedType): Html => html`
<section class="schema" tabindex="0" aria-labelledby="${type.name}">
<h3 id="${type.name}">${type.kind} <code>${type.name}</code></h3>
<p>${prose(type.description)}${type.interfaces.length === 0 ? undefined : html` Is a ${type.interfaces.map((each, at) => html`${at === 0 ? '' : ', '}<a href="#${each}"><code>${each}</code></a>`)}.`}</p>${fieldTable(type)}${valueTable(type)}
</section>`;

/** The schema as a graph, where scripts run, and as tables for everybody. */
export const schemaPage = ({ types }: DescribedSchema, files: PageFiles): Page => ({
  title: 'GraphQL schema',
  isWide: true,
  head: html`${stylesOf(files)}${scriptsOf(files)}`,
  body: html`<p>What <a href="/api/graphql/"><code>/api/graphql/</code></a> answers: as a graph, and below it <a href="#tables">as tables</a> with everything that there is.</p>
<div id="voyager" hidden></div>
<h2 id="tables">Types</h2>
<nav aria-label="Types"><p>${types.map(({ name }, at) => html`${at === 0 ? '' : ' · '}<a href="#${name}">${name}</a>`)}</p></nav>${types.map(typeSection)}`,
});
