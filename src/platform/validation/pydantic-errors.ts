import { z } from 'zod';
import { echoInput } from './input-echo.ts';
import { formatError } from './pydantic-formats.ts';
import type { PydanticError } from './pydantic-formats.ts';
import { ruleMessage } from './validation-error.ts';
import { isIntegerSchema } from './zod-inspection.ts';

export type RequestPart = 'path' | 'query' | 'header' | 'body';
export type Issue = z.core.$ZodRawIssue;
export type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

function plural(count: number | bigint, word: string): string {
  return `${count} ${word}${Number(count) === 1 ? '' : 's'}`;
}

function isInteger(issue: IssueOf<'invalid_type'>): boolean {
  if (issue.expected === 'int' || issue.expected === 'bigint') return true;
  return issue.inst !== undefined && isIntegerSchema(issue.inst);
}

function numberError(
  issue: IssueOf<'invalid_type'>,
  value: unknown,
  part: RequestPart,
): PydanticError {
  const integer = isInteger(issue);
  const kind = integer ? 'integer' : 'number';
  if (typeof value === 'string' && part !== 'body') {
    return {
      type: integer ? 'int_parsing' : 'float_parsing',
      msg: integer
        ? 'Input should be a valid integer, unable to parse string as an integer'
        : 'Input should be a valid number, unable to parse string as a number',
    };
  }
  if (value === Infinity || value === -Infinity)
    return { type: 'finite_number', msg: 'Input should be a finite number' };
  if (integer && typeof value === 'number') {
    return {
      type: 'int_from_float',
      msg: 'Input should be a valid integer, got a number with a fractional part',
    };
  }
  return { type: integer ? 'int_type' : 'float_type', msg: `Input should be a valid ${kind}` };
}

function booleanError(value: unknown, part: RequestPart): PydanticError {
  return typeof value === 'string' && part !== 'body'
    ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
    : { type: 'bool_type', msg: 'Input should be a valid boolean' };
}

const plainTypes: Partial<Record<string, PydanticError>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  tuple: { type: 'tuple_type', msg: 'Input should be a valid tuple' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
  null: { type: 'none_required', msg: 'Input should be None' },
  date: { type: 'datetime_type', msg: 'Input should be a valid datetime' },
};

function typeError(
  issue: IssueOf<'invalid_type'>,
  value: unknown,
  part: RequestPart,
): PydanticError {
  if (['number', 'int', 'bigint', 'nan'].includes(issue.expected))
    return numberError(issue, value, part);
  if (issue.expected === 'boolean') return booleanError(value, part);
  return plainTypes[issue.expected] ?? valueError(issue);
}

function sizeError(issue: IssueOf<'too_small' | 'too_big'>, value: unknown): PydanticError {
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  const least = small ? 'at least' : 'at most';
  if (issue.origin === 'string') {
    return {
      type: small ? 'string_too_short' : 'string_too_long',
      msg: `String should have ${least} ${plural(bound, 'character')}`,
      ctx: { [small ? 'min_length' : 'max_length']: bound },
    };
  }
  if (['number', 'int', 'bigint', 'date'].includes(issue.origin))
    return boundError(small, issue.inclusive !== false, bound);
  const actual = Array.isArray(value)
    ? value.length
    : Object.keys(typeof value === 'object' && value !== null ? value : {}).length;
  const field = Array.isArray(value) ? 'List' : 'Dictionary';
  return {
    type: small ? 'too_short' : 'too_long',
    msg: `${field} should have ${least} ${plural(bound, 'item')} after validation, not ${actual}`,
    ctx: { field_type: field, [small ? 'min_length' : 'max_length']: bound, actual_length: actual },
  };
}

function boundError(small: boolean, inclusive: boolean, bound: number): PydanticError {
  const word = small ? 'greater' : 'less';
  const key = `${small ? 'g' : 'l'}${inclusive ? 'e' : 't'}`;
  return {
    type: `${word}_than${inclusive ? '_equal' : ''}`,
    msg: `Input should be ${word} than ${inclusive ? 'or equal to ' : ''}${bound}`,
    ctx: { [key]: bound },
  };
}

function textError(issue: IssueOf<'invalid_format'>, value: unknown): PydanticError {
  const known = formatError(issue.format, String(value));
  if (known !== undefined) return known;
  if (issue.pattern === undefined) return valueError(issue);
  const pattern = issue.pattern.replace(/^\/(.*)\/\w*$/s, '$1');
  return {
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${pattern}'`,
    ctx: { pattern },
  };
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function choiceError(issue: IssueOf<'invalid_value'>): PydanticError {
  const values = issue.values.map(quoted);
  const last = values.at(-1) ?? '';
  const expected = values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
  const isEnum =
    issue.inst?._zod.def !== undefined &&
    'type' in issue.inst._zod.def &&
    issue.inst._zod.def.type === 'enum';
  return {
    type: isEnum ? 'enum' : 'literal_error',
    msg: `Input should be ${expected}`,
    ctx: { expected },
  };
}

/** pydantic's error of a custom check. FastAPI serializes the exception as an empty object. */
function valueError(issue: Issue): PydanticError {
  const { message } = z.core.util.finalizeIssue(issue, {}, z.core.config());
  return { type: 'value_error', msg: ruleMessage(message), ctx: { error: {} } };
}

function tagOptions(issue: IssueOf<'invalid_union'>): readonly unknown[] {
  return Array.isArray(issue.options) ? issue.options : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function tagError(issue: IssueOf<'invalid_union'>, value: unknown): PydanticError {
  const discriminator = quoted(issue.discriminator);
  const tag = memberOf(value, issue.discriminator ?? '');
  if (tag === undefined) {
    const msg = `Unable to extract tag using discriminator ${discriminator}`;
    return { type: 'union_tag_not_found', msg, ctx: { discriminator } };
  }
  const given = String(echoInput(tag, [issue.discriminator ?? '']));
  const expected = tagOptions(issue).map(quoted).join(', ');
  return {
    type: 'union_tag_invalid',
    msg:
      `Input tag '${given}' found using ${discriminator} does not match any of ` +
      `the expected tags: ${expected}`,
    ctx: { discriminator, tag: given, expected_tags: expected },
  };
}

/** Returns pydantic's error for a zod issue with `value` in that part of the request. */
export function pydanticError(issue: Issue, value: unknown, part: RequestPart): PydanticError {
  switch (issue.code) {
    case 'invalid_type':
      return typeError(issue, value, part);
    case 'too_small':
    case 'too_big':
      return sizeError(issue, value);
    case 'invalid_format':
      return textError(issue, value);
    case 'invalid_value':
      return choiceError(issue);
    case 'invalid_union':
      return tagError(issue, value);
    case 'not_multiple_of':
      return {
        type: 'multiple_of',
        msg: `Input should be a multiple of ${issue.divisor}`,
        ctx: { multiple_of: issue.divisor },
      };
    default:
      return valueError(issue);
  }
}
