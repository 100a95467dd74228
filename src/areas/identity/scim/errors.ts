import type { Problem } from '../../../platform/errors/errors.ts';
import { defineErrors } from '../../../platform/errors/errors.ts';

export const scimErrors = defineErrors('scim', {
  key_required: [403, 'SCIM requests need an API key with the scope `admin`.'],
  invalid_filter: [
    400,
    'This filter is not supported. Compare attributes such as userName, externalId, emails.value ' +
      'and active, with at most 20 comparisons in 1,000 characters.',
  ],
  invalid_path: [400, 'The path of this operation is not an attribute path of RFC 7644.'],
  invalid_value: [400, 'A value does not fit its attribute.'],
  no_target: [400, 'A `remove` operation needs a path.'],
  mutability: [400, 'The attribute `id` cannot be changed.'],
});

export const errorType = 'urn:ietf:params:scim:api:messages:2.0:Error';

const scimTypes: Readonly<Record<string, string>> = {
  'scim.invalid_filter': 'invalidFilter',
  'scim.invalid_path': 'invalidPath',
  'scim.invalid_value': 'invalidValue',
  'scim.no_target': 'noTarget',
  'scim.mutability': 'mutability',
  'users.taken': 'uniqueness',
};

/** The first entry of a 422, which is about JSON, the filter or another value. */
function ofInvalidRequest(errors: unknown): { scimType: string; detail?: string } {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (typeof first !== 'object' || first === null || !('loc' in first) || !('msg' in first))
    return { scimType: 'invalidValue' };
  const [part, ...path] = [first.loc].flat().map(String);
  const detail = `${path.length === 0 ? (part ?? '') : path.join('.')}: ${String(first.msg)}`;
  if ('type' in first && first.type === 'json_invalid')
    return { scimType: 'invalidSyntax', detail };
  return {
    scimType: part === 'query' && path[0] === 'filter' ? 'invalidFilter' : 'invalidValue',
    detail,
  };
}

/**
 * A problem as SCIM's error (RFC 7644 §3.12). SCIM has no 422: a request that does not match its
 * schema is a 400.
 */
export function toScimError({ status, code, detail, errors }: Problem) {
  const isInvalid = status === 422 || code === 'request.validation';
  const named = isInvalid ? ofInvalidRequest(errors) : { scimType: scimTypes[code] };
  return {
    schemas: [errorType],
    status: String(isInvalid ? 400 : status),
    ...(named.scimType === undefined ? {} : { scimType: named.scimType }),
    detail: ('detail' in named ? named.detail : undefined) ?? detail,
  };
}
