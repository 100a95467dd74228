import { STATUS_CODES } from 'node:http';
import { html, type Html } from '../../../lib/text/html.ts';
import { mapInSlices } from '../../../lib/concurrency/slices.ts';
import type { SitePage } from '../../../platform/ui/pages.ts';
import type { Answer, ApiDocument, ApiOperation, ApiTag, Media } from './openapi-document.ts';
import { around, type Surroundings } from '../pages.ts';
import { formatted, paragraphs } from '../plain-text.ts';
import { type Call, samplesOf } from './samples.ts';
import { fieldList, membersOf } from './schema-fields.ts';

export interface Reference {
  document: ApiDocument;
  /** Who may call an operation, by its id: the names of scopes. */
  scopes: ReadonlyMap<string, string>;
  /** Public address of this server, without a slash at its end. */
  baseUrl: string;
}

type Resolve = ApiDocument['resolve'];

const tagPath = (tag: string): string => `/developer/reference/${encodeURIComponent(tag)}`;
const names: Readonly<Partial<Record<string, string>>> = {
  otp: 'One-time codes',
  blackops: 'Device security',
  'api-keys': 'API keys',
  geoip: 'GeoIP',
  mcp: 'MCP',
  graphql: 'GraphQL',
  auth: 'Sign-in',
  idp: 'Identity provider',
};
/** A tag as people call what it is about. */
const titleOf = (tag: string): string =>
  names[tag] ?? `${tag.slice(0, 1).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
const isJson = (type: string): boolean => type.endsWith('json');
const mediaOf = (content: Record<string, unknown>): string | undefined =>
  Object.keys(content).find(isJson) ?? Object.keys(content)[0];
const method = (name: string): Html =>
  html`<span class="method ${name}">${name.toUpperCase()}</span>`;
const isSuccess = (status: string): boolean => status.startsWith('2');

/** The example of a body or an answer: the document has one for each. */
const exampleOf = ({ example, examples = {} }: Media): unknown =>
  example ?? Object.values(examples)[0]?.value;

/** Address and body of a call that would work, from examples. */
function callOf(
  { method: name, path, parameters = [], requestBody, security = [], responses = {} }: ApiOperation,
  baseUrl: string,
): Call {
  const filled = parameters
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
  const [, answer] = Object.entries(responses).find(([status]) => isSuccess(status)) ?? [];
  return {
    method: name.toUpperCase(),
    url: `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`,
    needsToken: security.length > 0,
    isJson: isJson(mediaOf(answer?.content ?? {}) ?? ''),
    body: type === undefined ? undefined : { type, value: exampleOf(content[type] ?? {}) },
  };
}

function block(label: string, text: string): Html {
  const code = html`<pre tabindex="0"><code>${text}</code></pre>`;
  return html`<figure class="code"><figcaption>${label}</figcaption>${code}</figure>\n`;
}

function samples({ operationId, responses = {} }: ApiOperation, call: Call): Html {
  const tabs = samplesOf(call).map(({ language, name, text }, at) => {
    const open = at === 0 ? html` open` : undefined;
    return html`<details name="s-${operationId}" data-language="${language}"${open}>
<summary>${name}</summary>
${block(name, text)}</details>\n`;
  });
  const [status = '', { content = {} } = {}] =
    Object.entries(responses).find(([each]) => isSuccess(each)) ?? [];
  const type = mediaOf(content) ?? '';
  const example = isJson(type) ? exampleOf(content[type] ?? {}) : undefined;
  const answer =
    example === undefined ? undefined : block(`Answer ${status}`, JSON.stringify(example, null, 2));
  return html`<div class="samples">
<div class="tabs">
${tabs}</div>
${answer}</div>`;
}

const callers: Readonly<Partial<Record<string, string>>> = {
  'signed-in': 'a person who is signed in',
  fresh: 'a person who signed in during the last five minutes',
  admin: 'an admin',
  public: 'whoever has a credential',
};
function needs({ security = [] }: ApiOperation, scope = 'public'): string {
  if (security.length === 0) return 'No credential is needed.';
  const who = callers[scope] ?? scope;
  return `For ${who}: API key or access token (Authorization: Bearer), or the session cookie.`;
}

/** The error codes that an answer is documented with: its examples are named by them. */
function codesOf(content: NonNullable<Answer['content']>): string[] {
  const named = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(named.filter((name) => /^[a-z_]+\.[a-z0-9_]+$/.test(name)))];
}

const codeLinks = (codes: readonly string[]): Html =>
  html`${codes.map(
    (code, at) =>
      html`${at === 0 ? ' ' : ', '}<a href="/developer/errors#${code}"><code>${code}</code></a>`,
  )}`;

function answer(status: string, { description = '', content = {} }: Answer, resolve: Resolve) {
  const type = mediaOf(content);
  const isUnsaid = description === '' || description === 'Default Response';
  const text = formatted(isUnsaid ? (STATUS_CODES[status] ?? 'Done') : description);
  const head = html`<span class="status">${status}</span> ${text}`;
  if (type === undefined) return html`\n<li>${head}</li>`;
  if (!isSuccess(status)) return html`\n<li>${head}${codeLinks(codesOf(content))}</li>`;
  const typed = html`${head} <span class="type">${type}</span>`;
  const members = membersOf(content[type]?.schema ?? {}, resolve);
  return members === undefined
    ? html`\n<li>${typed}</li>`
    : html`\n<li><details><summary>${typed}</summary>\n${members}</details></li>`;
}

function answers({ responses = {} }: ApiOperation, resolve: Resolve): Html {
  const items = Object.entries(responses).map(([status, each]) => answer(status, each, resolve));
  return html`<h3>Answers</h3>\n<ul class="fields">${items}\n</ul>\n`;
}

const places = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
  cookie: 'Cookies',
};

function inputs({ parameters = [], requestBody }: ApiOperation, resolve: Resolve): Html {
  const fields = parameters.map(
    ({ name, in: place, required = false, description, schema = {} }) => ({
      name,
      schema,
      isRequired: required,
      description,
      place,
    }),
  );
  const lists = Object.entries(places).flatMap(([place, title]) => {
    const those = fields.filter((field) => field.place === place);
    return those.length === 0 ? [] : [html`<h3>${title}</h3>\n${fieldList(those, resolve)}\n`];
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) =>
      html`<h3>Body <span class="type">${type}</span></h3>
${membersOf(schema, resolve) ?? html`<p>${schema.description ?? 'Any value of this type.'}</p>`}
`,
  );
  return html`${lists}${bodies}`;
}

const triedMethods = ['get', 'post', 'put', 'patch', 'delete'];

/** What the page's script needs to offer the call to be tried. */
function callData({ tags = [], method: name, path }: ApiOperation, { method: verb, body }: Call) {
  if (tags[0] === 'pages' || path.startsWith('/ws/') || !triedMethods.includes(name))
    return undefined;
  const text = body !== undefined && isJson(body.type) ? JSON.stringify(body.value, null, 2) : '';
  const sent = body === undefined ? undefined : html` data-type="${body.type}" data-body="${text}"`;
  return html` data-method="${verb}" data-path="${path}"${sent}`;
}

const alias = ({ id, method: name, path }: ApiOperation['others'][number]): Html =>
  html`<p class="address" id="${id}">also ${method(name)} <code>${path}</code></p>\n`;

function section(
  operation: ApiOperation,
  { document: { resolve }, scopes, baseUrl }: Reference,
): Html {
  const { operationId: id, summary = id, description, deprecated, others, path } = operation;
  const call = callOf(operation, baseUrl);
  const mark = deprecated === true ? html` <span class="must">deprecated</span>` : undefined;
  const access = html`<p class="needs">${needs(operation, scopes.get(id))}</p>`;
  return html`
<section class="operation" id="${id}"${callData(operation, call)}>
<h2><a href="#${id}">${summary}</a></h2>
<p class="address">${method(operation.method)} <code>${path}</code>${mark}</p>
${others.map(alias)}<div class="both">
<div>
${description === undefined ? undefined : paragraphs(description)}${access}
${inputs(operation, resolve)}${answers(operation, resolve)}</div>
${samples(operation, call)}
</div>
</section>`;
}

const listed = (
  { operationId: id, method: name, path, summary }: ApiOperation,
  tag: string,
): Html =>
  html`\n<li id="${id}">${method(name)} <span><a href="${tagPath(tag)}#${id}">${summary ?? id}</a>
<code>${path}</code></span></li>`;

/** All operations by tag. Each is an anchor here too: `/developer/reference#otp.otp_send`. */
export function referencePage(
  { document: { tags }, baseUrl }: Reference,
  surroundings: Surroundings,
): SitePage {
  return around(
    {
      title: 'API reference',
      path: '/developer/reference',
      description:
        `Every operation of ${surroundings.appName}: fields, answers and samples in curl, ` +
        'TypeScript and Python.',
      body: html`<p class="intro">Everything is below <code>${baseUrl}</code>, takes and gives JSON
unless it says otherwise, and answers with and without a slash at the end of its path. This
reference is made from the <a href="/api/openapi.json">OpenAPI document</a>, as
<a href="/api/docs">Swagger UI</a> is. Programs send <code>Authorization: Bearer</code> with an API
key or an access token; a browser sends its session cookie. Failures have a
<a href="/developer/errors">code</a>.</p>
<div class="text">${tags.map(
        ({ name, description, operations }) =>
          html`\n<h2 id="tag-${name}"><a href="${tagPath(name)}">${titleOf(name)}</a></h2>
<p>${formatted(description)}</p>
<ul class="operations">${operations.map((operation) => listed(operation, name))}
</ul>`,
      )}
</div>`,
    },
    surroundings,
    tags.map(({ name }) => ({ href: tagPath(name), text: titleOf(name) })),
  );
}

/** The operations of one tag, in full. The event loop gets its turns meanwhile. */
export async function tagPage(
  { name, description, operations }: ApiTag,
  reference: Reference,
  surroundings: Surroundings,
): Promise<SitePage> {
  const sections = await mapInSlices(operations, (operation) => section(operation, reference));
  return around(
    {
      title: `${titleOf(name)}: API reference`,
      heading: html`<h1>${titleOf(name)}</h1>`,
      path: tagPath(name),
      description: (
        `${description} ${operations.length} operations of ${surroundings.appName}, ` +
        'with fields, answers and samples.'
      ).trim(),
      body: html`<p class="lead">${formatted(description)}</p>
<p class="also"><a href="/developer/reference">All operations</a></p>${sections}`,
    },
    surroundings,
    operations.map(({ operationId, summary = operationId }) => ({
      href: `#${operationId}`,
      text: summary,
    })),
  );
}
