import type { LightMyRequestResponse } from 'fastify';
import type {
  Media,
  OpenApiDocument,
  Operation,
  Response,
} from '../../src/platform/openapi/document.ts';
import type { SchemaCheck } from '../support/json-schema.ts';
import type { FuzzRequest } from '../support/request-arbitrary.ts';

/** Codes of 503 that this run expects: features not configured, and the used-up OTP budget. */
const expectedUnavailable = /^[a-z_]+\.[a-z_]*not_configured$|^otp\.budget$/;

/** Statuses of a path for a method without a route. */
const unrouted = new Set([204, 404, 405]);

/**
 * True when the request was refused for its `Expect` header, which happens before routing.
 */
const isUnmet = ({ headers }: FuzzRequest, status: number): boolean =>
  status === 400 && headers.expect !== undefined;

const mediaType = (header: unknown): string =>
  String(header ?? '')
    .split(';', 1)
    .join('')
    .trim()
    .toLowerCase();

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string'
    ? value.code
    : undefined;
}

/**
 * Creates a function that checks an answer against the OpenAPI document. It returns one short line
 * per fault; an empty list when the answer is as documented. Of answers of hidden routes it checks
 * only that they are no server errors.
 */
export function createAnswerCheck(
  document: OpenApiDocument,
  check: SchemaCheck,
  isHidden: (method: string, path: string) => boolean,
) {
  const resolve = (response: Response): Response =>
    response.$ref === undefined
      ? response
      : (document.components.responses?.[response.$ref.split('/').at(-1) ?? ''] ?? response);

  function serverFault(status: number, code: string | undefined, isDocumented: boolean): string[] {
    if (status < 500) return [];
    return status === 503 &&
      (isDocumented || (code !== undefined && expectedUnavailable.test(code)))
      ? []
      : [`${status} ${code ?? ''}`];
  }

  function bodyFault(answer: LightMyRequestResponse, media: Media, type: string): string[] {
    if (!/[/+]json$/.test(type)) return [];
    const parsed = jsonOf(answer.body);
    if (parsed === undefined) return ['a body that is not JSON'];
    const code = type === 'application/problem+json' ? codeOf(parsed.value) : undefined;
    const names = Object.keys(media.examples ?? {});
    return [
      ...check(media.schema ?? {}, parsed.value)
        .slice(0, 2)
        .map((fault) => `a body that is not as documented: ${fault}`),
      ...(code !== undefined && !names.includes(code)
        ? [`the code ${code}, which is not documented`]
        : []),
    ];
  }

  function contentFault(answer: LightMyRequestResponse, { content = {} }: Response): string[] {
    const type = mediaType(answer.headers['content-type']);
    if (Object.keys(content).length === 0)
      return answer.body === '' ? [] : [`a body (${type}) where none is documented`];
    const media = content[type];
    return media === undefined
      ? [`the type ${type === '' ? '(none)' : type}, which is not documented`]
      : bodyFault(answer, media, type);
  }

  const templates = Object.keys(document.paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  /** Another method may match another template: DELETE `/things/export` matches `/things/{id}`. */
  function operationFor({ target, method, url }: FuzzRequest): Operation | undefined {
    if (method === target.method) return target.operation;
    const [path = ''] = url.split('?', 1);
    const withoutSlash = path.length > 1 ? path.replace(/\/$/, '') : path;
    const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const found = [
      target.path,
      ...templates.filter(({ form }) => form.test(withoutSlash)).map((template) => template.path),
    ].find((each) => document.paths[each]?.[name] !== undefined);
    return found === undefined ? undefined : document.paths[found]?.[name];
  }

  return (request: FuzzRequest, answer: LightMyRequestResponse): string[] => {
    const { statusCode: status } = answer;
    const operation = operationFor(request);
    const declared = operation?.responses[String(status)];
    const isDocumented =
      declared !== undefined &&
      status === 503 &&
      Object.keys(resolve(declared).content ?? {}).includes(
        mediaType(answer.headers['content-type']),
      ) &&
      codeOf(jsonOf(answer.body)?.value) === undefined;
    const faults = serverFault(status, codeOf(jsonOf(answer.body)?.value), isDocumented);
    if (faults.length > 0) return faults;
    if (request.method === 'HEAD') return answer.body === '' ? [] : ['a body to HEAD'];
    if (operation === undefined)
      return unrouted.has(status) ||
        isUnmet(request, status) ||
        isHidden(request.method, request.target.path)
        ? []
        : [`${status} to a method that is not documented`];
    return declared === undefined
      ? [`${status} ${codeOf(jsonOf(answer.body)?.value) ?? ''} is not documented`]
      : contentFault(answer, resolve(declared)).map((fault) => `${status}: ${fault}`);
  };
}
