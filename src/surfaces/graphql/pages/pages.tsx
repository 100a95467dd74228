import { escapeHtml, type Html, htmlDocument } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import type { DescribedField, DescribedSchema, DescribedType } from './schema-description.ts';

/** URLs of the files of a page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
}

const scriptsOf = ({ scripts }: PageFiles): Html[] =>
  scripts.map((src) => <script defer src={src}></script>);
const stylesOf = ({ styles }: PageFiles): Html[] =>
  styles.map((href) => <link rel="stylesheet" href={href} />);

const pathLink = (
  <a href="/api/graphql/">
    <code>/api/graphql/</code>
  </a>
);
const voyagerLink = <a href="/api/graphql/voyager/">The schema as a table</a>;
const tablesLink = <a href="#tables">as tables</a>;

/** The page of GraphiQL, which fills the whole window. */
export const graphiqlPage = (appName: string, files: PageFiles): string =>
  htmlDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>GraphiQL – {escapeHtml(appName)}</title>
        <link rel="icon" href="data:," />
        {stylesOf(files)}
        {scriptsOf(files)}
      </head>
      <body>
        <main id="graphiql" class="graphiql-place">
          <h1>GraphQL</h1>
          <p>GraphiQL needs JavaScript. {voyagerLink} does not, nor does a POST to this address.</p>
        </main>
      </body>
    </html>,
  );

function typeLink({ text, name, isDescribed }: DescribedField['type']): Html {
  const [before = '', after = ''] = text.split(name, 2);
  return (
    <code>
      {escapeHtml(before)}
      {isDescribed ? (
        <a href={`#${name}`} safe>
          {name}
        </a>
      ) : (
        escapeHtml(name)
      )}
      {escapeHtml(after)}
    </code>
  );
}

/** Renders text between backticks as code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code safe>{part}</code> : escapeHtml(part)));

const separated = (separator: string, parts: readonly Html[]): Html[] =>
  parts.map((part, at) => (
    <>
      {at === 0 ? '' : escapeHtml(separator)}
      {part}
    </>
  ));

function argument({ name, type, defaultValue, description }: DescribedField['args'][number]): Html {
  const initially =
    defaultValue === undefined ? undefined : (
      <>
        = <code safe>{defaultValue}</code>
      </>
    );
  return (
    <li>
      <code safe>{name}</code>: {typeLink(type)}
      {initially} – {prose(description)}
    </li>
  );
}

const argumentList = ({ args }: DescribedField): Html | undefined =>
  args.length === 0 ? undefined : <ul>{args.map(argument)}</ul>;

function row(name: string, ...values: Html[]): Html {
  const cells = values.map((value) => <td>{value}</td>);
  return (
    <tr>
      <th scope="row">
        <code safe>{name}</code>
      </th>
      {cells}
    </tr>
  );
}

const table = (caption: string, columns: readonly string[], rows: Html[]) =>
  rows.length === 0 ? undefined : (
    <table>
      <caption class="spoken" safe>
        {caption}
      </caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th scope="col" safe>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  );

const fieldTable = ({ name, fields }: DescribedType): Html | undefined =>
  table(
    `Fields of ${name}`,
    ['Field', 'Type', 'What it is'],
    fields.map((field) =>
      row(
        field.name,
        typeLink(field.type),
        <>
          {prose(field.description)}
          {argumentList(field)}
        </>,
      ),
    ),
  );

const valueTable = ({ name, values }: DescribedType): Html | undefined =>
  table(
    `Values of ${name}`,
    ['Value', 'What it means'],
    values.map((value) => row(value.name, <>{prose(value.description)}</>)),
  );

function interfaceList({ interfaces }: DescribedType): Html | undefined {
  const links = interfaces.map((name) => (
    <a href={`#${name}`}>
      <code safe>{name}</code>
    </a>
  ));
  return links.length === 0 ? undefined : <>Is a {separated(', ', links)}.</>;
}

const typeSection = (type: DescribedType): Html => (
  <section class="schema" tabindex="0" aria-labelledby={type.name}>
    <h3 id={type.name}>
      {escapeHtml(type.kind)} <code safe>{type.name}</code>
    </h3>
    <p>
      {prose(type.description)}
      {interfaceList(type)}
    </p>
    {fieldTable(type)}
    {valueTable(type)}
  </section>
);

/** The schema page: a graph, which needs JavaScript, and tables, which do not. */
export function schemaPage({ types }: DescribedSchema, files: PageFiles): Page {
  const links = types.map(({ name }) => (
    <a href={`#${name}`} safe>
      {name}
    </a>
  ));
  const what = <>as a graph, and below it {tablesLink} with everything that there is</>;
  return {
    title: 'GraphQL schema',
    isWide: true,
    head: (
      <>
        {stylesOf(files)}
        {scriptsOf(files)}
      </>
    ),
    body: (
      <>
        <p>
          What {pathLink} answers: {what}.
        </p>
        <div id="voyager" hidden></div>
        <h2 id="tables">Types</h2>
        <nav aria-label="Types">
          <p>{separated(' · ', links)}</p>
        </nav>
        {types.map(typeSection)}
      </>
    ),
  };
}
