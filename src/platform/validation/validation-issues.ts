import { z } from 'zod';
import { echoInput } from './input-echo.ts';
import { pydanticError } from './pydantic-errors.ts';
import type { Issue, IssueOf, RequestPart } from './pydantic-errors.ts';
import { detailLimit, type ValidationDetail } from './validation-error.ts';

/** A refused part of the request. */
export interface Refused {
  part: RequestPart;
  /** The value as received. */
  original: unknown;
  /** The value as validated, with parameters converted to numbers and other types. */
  value: unknown;
}

const synchronous = { async: false };

/**
 * Runs a zod schema. Returns its value or its raw issues, which still refer to their schema. Throws
 * for schemas with asynchronous checks.
 */
export function runSchema(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const payload = schema._zod.run({ value, issues: [] }, synchronous);
  if (payload instanceof Promise) throw new z.core.$ZodAsyncError();
  return payload;
}

const isUnknown = (issue: Issue): issue is IssueOf<'unrecognized_keys'> =>
  issue.code === 'unrecognized_keys' && (issue.path ?? []).length === 0;

/**
 * Runs a zod schema, and its rules about several members although there are unknown ones, for which
 * zod would skip them: a client sees all errors at once.
 */
export function runWithRules(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const first = runSchema(schema, value);
  const unknown = first.issues.filter(isUnknown).flatMap(({ keys }) => keys);
  if (unknown.length === 0 || !first.issues.every(isUnknown)) return first;
  if (typeof value !== 'object' || value === null) return first;
  const refused = new Set(unknown);
  const known = Object.entries(value).filter(([name]) => !refused.has(name));
  const { issues } = runSchema(schema, Object.fromEntries(known));
  return { value, issues: [...first.issues, ...issues] };
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function refusedValue(refused: Refused, path: readonly PropertyKey[]): unknown {
  const value = valueAt(refused.value, path);
  return Number.isNaN(value) ? valueAt(refused.original, path) : value;
}

function location(part: RequestPart, path: readonly PropertyKey[]): (string | number)[] {
  return [part, ...path.map((key) => (typeof key === 'number' ? key : String(key)))];
}

function missing(refused: Refused, path: readonly PropertyKey[]): ValidationDetail {
  const container =
    refused.part === 'body' && path.length > 0
      ? echoInput(valueAt(refused.value, path.slice(0, -1)), path.slice(0, -1))
      : null;
  return {
    type: 'missing',
    loc: location(refused.part, path),
    msg: 'Field required',
    input: container,
  };
}

function forbidden(refused: Refused, path: readonly PropertyKey[]): ValidationDetail {
  return {
    type: 'extra_forbidden',
    loc: location(refused.part, path),
    msg: 'Extra inputs are not permitted',
    input: echoInput(valueAt(refused.value, path), path),
  };
}

function isAbsent(
  refused: Refused,
  issue: Issue,
  value: unknown,
  path: readonly PropertyKey[],
): boolean {
  if (path.length === 0) return refused.part === 'body' && (value === undefined || value === null);
  return value === undefined && issue.code !== 'custom';
}

/**
 * Ranks a branch of a union by its issues; lower is better. The client most likely meant the branch
 * with the best rank.
 */
function branchRank(issues: readonly Issue[]): number {
  const wrongType = issues.some(
    (issue) => (issue.path ?? []).length === 0 && issue.code.startsWith('invalid_'),
  );
  return (wrongType ? 1000 : 0) + issues.length;
}

function bestBranch(issue: IssueOf<'invalid_union'>, value: unknown): readonly Issue[] | undefined {
  const def = issue.inst?._zod.def;
  if (issue.discriminator !== undefined || def === undefined || !('options' in def))
    return undefined;
  const options = def.options as readonly z.core.$ZodType[];
  return options
    .map((option) => runSchema(option, value).issues)
    .reduce((best, issues) => (branchRank(issues) < branchRank(best) ? issues : best));
}

/** For a discriminated union, zod reports the path of the tag, pydantic that of the whole value. */
function issuePath(issue: Issue): readonly PropertyKey[] {
  const path = issue.path ?? [];
  return issue.code === 'invalid_union' && issue.discriminator !== undefined
    ? path.slice(0, -1)
    : path;
}

/** Converts a zod issue to FastAPI's entries: one, or several for unknown members and unions. */
export function describeIssue(
  refused: Refused,
  issue: Issue,
  base: readonly PropertyKey[] = [],
): ValidationDetail[] {
  const path = [...base, ...issuePath(issue)];
  const value = refusedValue(refused, path);
  if (isAbsent(refused, issue, value, path)) return [missing(refused, path)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, detailLimit).map((key) => forbidden(refused, [...path, key]));
  if (issue.code === 'invalid_union') {
    const branch = bestBranch(issue, value);
    if (branch !== undefined) return branch.flatMap((inner) => describeIssue(refused, inner, path));
  }
  const { type, msg, ctx } = pydanticError(issue, value, refused.part);
  const detail = { type, loc: location(refused.part, path), msg, input: echoInput(value, path) };
  return [ctx === undefined ? detail : { ...detail, ctx }];
}

/**
 * Converts the first issues to FastAPI's entries. Stops at the limit, because each one costs time.
 */
export function describeIssues(refused: Refused, issues: readonly Issue[]): ValidationDetail[] {
  const details: ValidationDetail[] = [];
  for (const issue of issues) {
    if (details.length >= detailLimit) break;
    details.push(...describeIssue(refused, issue));
  }
  return details;
}
