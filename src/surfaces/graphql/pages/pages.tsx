import { escapeHtml, type Html, htmlDocument } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { linkTo } from '../../../platform/ui/link-to.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Fold, foldFilter } from '../../../platform/ui/components/folds.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { themePath } from '../../../platform/ui/theme.ts';
import type { DescribedField, DescribedSchema, DescribedType } from './schema-description.ts';
import { groupTypes, type TypeGroup } from './type-groups.ts';
import { texts } from './texts/en.ts';

const { schema } = texts;

/** URLs of the files of a page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
}

/** URLs of what draws the graph. */
interface GraphFiles {
  script: string;
  sheet: string;
}

const scriptsOf = ({ scripts }: PageFiles): Html[] =>
  scripts.map((src) => <script defer src={src}></script>);
const stylesOf = ({ styles }: PageFiles): Html[] =>
  styles.map((href) => <link rel="stylesheet" href={href} />);

const apiLink = (inner: Html): Html => (
  <a href="/api/graphql/">
    <code>{inner}</code>
  </a>
);

/** The page of GraphiQL, which fills the whole window. */
export const graphiqlPage = (appName: string, files: PageFiles): string =>
  htmlDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          {escapeHtml(texts.graphiql.title)} – {escapeHtml(appName)}
        </title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.ico" />
        {stylesOf(files)}
        <link rel="stylesheet" href={themePath} />
        {scriptsOf(files)}
      </head>
      <body>
        <main id="graphiql" class="graphiql-place">
          <h1 safe>{texts.graphiql.heading}</h1>
          <p>{rich(texts.graphiql.noScript, { link: linkTo('/api/graphql/voyager/') })}</p>
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

const nameColumn = <Row extends { name: string }>(title: string): Column<Row> => ({
  title,
  cell: ({ name }) => <code safe>{name}</code>,
});

const fieldColumns: readonly Column<DescribedField>[] = [
  nameColumn(schema.columns.field),
  { title: schema.columns.type, cell: ({ type }) => typeLink(type) },
  {
    title: schema.columns.description,
    cell: (field) => (
      <>
        {prose(field.description)}
        {argumentList(field)}
      </>
    ),
  },
];

const valueColumns: readonly Column<DescribedType['values'][number]>[] = [
  nameColumn(schema.columns.value),
  { title: schema.columns.description, cell: ({ description }) => <>{prose(description)}</> },
];

const fieldTable = ({ name, fields }: DescribedType): Html => (
  <Table
    caption={schema.fields({ type: name })}
    columns={fieldColumns}
    rows={fields}
    empty={<></>}
  />
);

const valueTable = ({ name, values }: DescribedType): Html => (
  <Table
    caption={schema.values({ type: name })}
    columns={valueColumns}
    rows={values}
    empty={<></>}
  />
);

function interfaceList({ interfaces }: DescribedType): Html | undefined {
  const links = interfaces.map((name) => (
    <a href={`#${name}`}>
      <code safe>{name}</code>
    </a>
  ));
  return links.length === 0 ? undefined : (
    <p>{rich(schema.interfaces, { types: () => <>{separated(', ', links)}</> })}</p>
  );
}

/** Its fields or values as a table; undefined for scalars. */
function membersOf(type: DescribedType): Html | undefined {
  if (type.fields.length > 0) return fieldTable(type);
  return type.values.length > 0 ? valueTable(type) : undefined;
}

const countOf = ({ fields, values }: DescribedType): string =>
  values.length > 0
    ? schema.valueCount({ count: values.length })
    : schema.fieldCount({ count: fields.length });

/** A type, closed at first: there are hundreds of them. */
const typeLine = (type: DescribedType): Html => {
  const members = membersOf(type);
  return (
    <li>
      {members === undefined ? (
        <div class="fold-line" id={type.name}>
          <h4 safe>{type.name}</h4>
          <span class="fold-lead">{prose(type.description)}</span>
          <span class="fold-count" safe>
            {type.kind}
          </span>
        </div>
      ) : (
        <Fold
          id={type.name}
          title={type.name}
          level={4}
          lead={<>{prose(type.description)}</>}
          count={`${type.kind}, ${countOf(type)}`}
        >
          {interfaceList(type)}
          {members}
        </Fold>
      )}
    </li>
  );
};

const groupFold = ({ id, title, lead, types }: TypeGroup): Html => (
  <Fold
    id={`types-${id}`}
    title={title}
    level={3}
    lead={escapeHtml(lead)}
    count={schema.count({ count: types.length })}
    isOpen={id === 'operations'}
  >
    <ul>{types.map(typeLine)}</ul>
  </Fold>
);

/** The button for the graph, which a script shows. It loads the large files when it is pressed. */
const graphButton = (graph: GraphFiles): Html => (
  <div id="graph" data-script={graph.script} data-sheet={graph.sheet} hidden>
    <Button label={schema.showGraph} type="button" attributes={{ id: 'show-graph' }} />{' '}
    <span class="hint" safe>
      {schema.graphHint}
    </span>
  </div>
);

/** The schema page: a graph, which needs JavaScript, and tables, which do not. */
export const schemaPage = (
  { types }: DescribedSchema,
  files: PageFiles,
  graph: GraphFiles,
): Page => ({
  title: schema.title,
  isWide: true,
  head: (
    <>
      {stylesOf(files)}
      {scriptsOf(files)}
    </>
  ),
  body: (
    <>
      <p>{rich(schema.lead, { api: apiLink })}</p>
      {graphButton(graph)}
      <div id="voyager" hidden></div>
      <h2 id="tables" safe>
        {schema.types}
      </h2>
      {foldFilter(schema.filter)}
      <div class="schema-types folds">{groupTypes(types).map(groupFold)}</div>
    </>
  ),
});
