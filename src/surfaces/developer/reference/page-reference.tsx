import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { mapInSlices } from '../../../lib/concurrency/slices.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { CodeBlock } from '../../../platform/ui/components/code-block.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { inlineCode, linkTo } from '../../../platform/ui/link-to.tsx';
import type { NavGroup, NavLink } from '../../../platform/ui/components/navigation.tsx';
import type { SitePage } from '../../../platform/ui/pages.tsx';
import type { ApiDocument, ApiOperation, ApiTag } from './openapi-document.ts';
import { Fold, foldFilter } from '../../../platform/ui/components/folds.tsx';
import { withNavigation, type Surroundings } from '../pages.tsx';
import { formatted, paragraphs } from '../plain-text.tsx';
import { guidesPath, referenceLinks } from '../navigation.tsx';
import { texts as pageTexts } from '../texts/en/pages.ts';
import { texts } from '../texts/en/reference.ts';
import { exampleOf, isJson, isSuccess, mediaOf } from './media.ts';
import { responseSections } from './page-responses.tsx';
import { type Call, samplesOf } from './samples.ts';
import { tagPath, titleOf } from './tag-names.ts';
import { groupTags } from './resource-groups.ts';
import { fieldList, membersOf } from './schema-fields.tsx';

export interface Reference {
  document: ApiDocument;
  /** The scope of each operation, by operation id. */
  scopes: ReadonlyMap<string, string>;
  /** Public URL of this server, without a trailing slash. */
  baseUrl: string;
}

type Resolve = ApiDocument['resolve'];

const method = (name: string): Html => (
  <span class={`method method-${name}`} safe>
    {name.toUpperCase()}
  </span>
);
/** Builds a call of an operation from its examples. */
function callOf(
  { method: name, path, parameters = [], requestBody, security = [], responses }: ApiOperation,
  baseUrl: string,
): Call {
  const expandedPath = parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (url, each) => url.replace(`{${each.name}}`, encodeURIComponent(String(each.example))),
      path,
    );
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && each.required === true)
      .map((each): [string, string] => [each.name, String(each.example)]),
  ).toString();
  const content = requestBody?.content ?? {};
  const type = mediaOf(content);
  const [, response] = Object.entries(responses).find(([status]) => isSuccess(status)) ?? [];
  return {
    method: name.toUpperCase(),
    url: `${baseUrl}${expandedPath}${query === '' ? '' : `?${query}`}`,
    needsToken: security.length > 0,
    isJson: isJson(mediaOf(response?.content ?? {}) ?? ''),
    body: type === undefined ? undefined : { type, value: exampleOf(content[type] ?? {}) },
  };
}

function samples({ operationId, responses }: ApiOperation, call: Call): Html {
  const tabs = samplesOf(call).map(({ language, name, text }, at) => {
    const open = at === 0 ? { open: true } : undefined;
    return (
      <details name={`s-${operationId}`} data-language={language} {...open}>
        <summary safe>{name}</summary>
        <CodeBlock code={text} />
      </details>
    );
  });
  const [status = '', { content = {} } = {}] =
    Object.entries(responses).find(([each]) => isSuccess(each)) ?? [];
  const type = mediaOf(content) ?? '';
  const example = isJson(type) ? exampleOf(content[type] ?? {}) : undefined;
  const response =
    example === undefined ? undefined : (
      <CodeBlock
        caption={texts.operation.response({ status })}
        code={JSON.stringify(example, null, 2)}
      />
    );
  return (
    <div class="samples">
      <div class="languages">{tabs}</div>
      {response}
    </div>
  );
}

const needsByScope: Readonly<Partial<Record<string, string>>> = {
  'signed-in': texts.access.signedIn,
  fresh: texts.access.fresh,
  admin: texts.access.admin,
};
const needs = ({ security = [] }: ApiOperation, scope = 'public'): string =>
  security.length === 0 ? texts.access.open : (needsByScope[scope] ?? texts.access.credential);

const locationTitles = {
  path: texts.operation.inPath,
  query: texts.operation.inQuery,
  header: texts.operation.headers,
  cookie: texts.operation.cookies,
};

function inputs({ parameters = [], requestBody }: ApiOperation, resolve: Resolve): Html {
  const fields = parameters.map(
    ({ name, in: location, required = false, description, schema = {} }) => ({
      name,
      schema,
      isRequired: required,
      description,
      location,
    }),
  );
  const lists = Object.entries(locationTitles).flatMap(([location, title]) => {
    const matching = fields.filter((field) => field.location === location);
    return matching.length === 0
      ? []
      : [
          <>
            <h3 safe>{title}</h3>
            {fieldList(matching, resolve)}
          </>,
        ];
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => (
    <>
      <h3>
        {escapeHtml(texts.operation.body)}{' '}
        <span class="type" safe>
          {type}
        </span>
      </h3>
      {membersOf(schema, resolve) ?? <p safe>{schema.description ?? texts.operation.anyBody}</p>}
    </>
  ));
  return (
    <>
      {lists}
      {bodies}
    </>
  );
}

const callableMethods = ['get', 'post', 'put', 'patch', 'delete'];

/** Data attributes from which the script of the page offers to try a call. */
function callData({ tags = [], method: name, path }: ApiOperation, { method: verb, body }: Call) {
  if (tags[0] === 'pages' || path.startsWith('/ws/') || !callableMethods.includes(name))
    return undefined;
  const text = body !== undefined && isJson(body.type) ? JSON.stringify(body.value, null, 2) : '';
  const sent = body === undefined ? undefined : { 'data-type': body.type, 'data-body': text };
  return { 'data-method': verb, 'data-path': path, ...sent };
}

const alias = ({ id, method: name, path }: ApiOperation['others'][number]): Html => (
  <p class="address hint" id={id}>
    {rich(texts.operation.alias, {
      path: () => (
        <>
          {method(name)} <code safe>{path}</code>
        </>
      ),
    })}
  </p>
);

function section(operation: ApiOperation, { document, scopes, baseUrl }: Reference): Html {
  const { operationId: id, summary = id, description, deprecated, others, path } = operation;
  const call = callOf(operation, baseUrl);
  const mark = deprecated === true && <Badge text={texts.operation.deprecated} tone="warn" />;
  const access = (
    <p class="needs">
      <Icon name={operation.security?.length ? 'lock' : 'globe'} />
      {escapeHtml(needs(operation, scopes.get(id)))}
    </p>
  );
  return (
    <section class="operation" id={id} {...callData(operation, call)}>
      <h2>
        <a href={`#${id}`} safe>
          {summary}
        </a>
      </h2>
      <p class="address">
        {method(operation.method)} <code safe>{path}</code> {mark}
      </p>
      {others.map(alias)}
      <div class="both">
        <div>
          {description === undefined ? undefined : paragraphs(description)}
          {access}
          {inputs(operation, document.resolve)}
          {responseSections(operation, document)}
        </div>
        {samples(operation, call)}
      </div>
    </section>
  );
}

const operationItem = (
  { operationId: id, method: name, path, summary }: ApiOperation,
  tag: string,
): Html => (
  <li id={id}>
    {method(name)}{' '}
    <a href={`${tagPath(tag)}#${id}`} safe>
      {summary ?? id}
    </a>{' '}
    <code safe>{path}</code>
  </li>
);

const tagLinks = (tags: ApiDocument['tags'], current?: ApiTag) =>
  tags.map(({ name }) => ({
    tag: name,
    href: tagPath(name),
    text: titleOf(name),
    ...(name === current?.name && { children: operationLinks(current) }),
  }));

/**
 * Links to all tags by resource, and to what is beside them. On the page of a tag: to those of its
 * heading, and to its operations.
 */
function resourceLinks(tags: ApiDocument['tags'], current?: ApiTag): NavGroup[] {
  const beside = [...referenceLinks, { href: guidesPath, text: pageTexts.navigation.guides }];
  const groups = groupTags(tagLinks(tags, current)).filter(
    (group) =>
      current === undefined || group.links.some(({ href }) => href === tagPath(current.name)),
  );
  return [{ title: pageTexts.navigation.reference, links: beside }, ...groups];
}

const operationLinks = ({ operations }: ApiTag): NavLink[] =>
  operations.map(({ operationId, summary = operationId }) => ({
    href: `#${operationId}`,
    text: summary,
  }));

/** A tag with its operations, folded: a link to one of them opens it. */
const tagPart = ({ name, description, operations }: ApiTag): Html => (
  <Fold
    id={`tag-${name}`}
    title={titleOf(name)}
    level={3}
    lead={formatted(description)}
    count={texts.count({ count: operations.length })}
  >
    <ul class="operations">{operations.map((operation) => operationItem(operation, name))}</ul>
    <Button
      href={tagPath(name)}
      label={texts.tag.open({ name: titleOf(name) })}
      kind="ghost"
      size="small"
    />
  </Fold>
);

const tagGroup = ({ title, links }: NavGroup, tags: readonly ApiTag[]): Html => (
  <section class="fold-group">
    <h2 safe>{title}</h2>
    <div class="folds">
      {links.flatMap(({ href }) => tags.filter(({ name }) => tagPath(name) === href)).map(tagPart)}
    </div>
  </section>
);

/** The overview of all operations by tag, with anchors: `/developer/reference#otp.otp_send`. */
export function referencePage(
  { document: { tags }, baseUrl }: Reference,
  surroundings: Surroundings,
): SitePage {
  return withNavigation(
    {
      title: texts.title,
      path: '/developer/reference',
      styles: ['developer.css', 'folds.css'],
      description: texts.description({ appName: surroundings.appName }),
      body: (
        <>
          <p class="intro">
            {rich(texts.intro, {
              base: () => inlineCode(escapeHtml(baseUrl)),
              code: inlineCode,
              openapi: linkTo('/api/openapi.json'),
              swagger: linkTo('/api/docs'),
              errors: linkTo('/developer/errors'),
            })}
          </p>
          {foldFilter(texts.filter)}
          {groupTags(tagLinks(tags)).map((group) => tagGroup(group, tags))}
        </>
      ),
    },
    surroundings,
    [],
    resourceLinks(tags),
  );
}

/** The page of a tag with its operations in full. Does not block the event loop. */
export async function tagPage(
  tag: ApiTag,
  reference: Reference,
  surroundings: Surroundings,
): Promise<SitePage> {
  const { name, description, operations } = tag;
  const sections = await mapInSlices(operations, (operation) => section(operation, reference));
  return withNavigation(
    {
      title: texts.tag.title({ name: titleOf(name) }),
      heading: <h1 safe>{titleOf(name)}</h1>,
      path: tagPath(name),
      description: `${description} ${texts.tag.description({
        count: operations.length,
        appName: surroundings.appName,
      })}`.trim(),
      body: (
        <>
          <p class="lead">{formatted(description)}</p>
          <div class="also btn-row">
            <Button
              href="/developer/reference"
              label={texts.tag.all}
              icon="arrow-left"
              kind="ghost"
              size="small"
            />
          </div>
          {sections}
        </>
      ),
    },
    surroundings,
    [],
    resourceLinks(reference.document.tags, tag),
  );
}
