import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  preValidationHookHandler,
} from 'fastify';
import { z } from 'zod';
import { once } from '../../lib/memoize.ts';
import { echoInput } from './input-echo.ts';
import { createParameterParser, singleParameters } from './parameters.ts';
import type { RequestPart } from './pydantic-errors.ts';
import { RequestValidationError, type ValidationDetail, valueError } from './validation-error.ts';
import { checkUrlTexts } from './url-texts.ts';
import { describeIssues, runWithRules } from './validation-issues.ts';

interface PartCheck {
  part: RequestPart;
  property: 'params' | 'query' | 'headers' | 'body';
  schema: z.core.$ZodType;
  /** Derived from the schema at the first request. */
  reader: () => PartReader;
}

interface PartReader {
  read: ((values: object) => object) | undefined;
  /** Names of single-valued query parameters. */
  singles: readonly string[];
}

const partReader = (part: RequestPart, schema: z.core.$ZodType): PartReader => ({
  read: part === 'body' ? undefined : createParameterParser(schema),
  singles: part === 'query' ? singleParameters(schema) : [],
});

const partsInOrder = [
  ['path', 'params', 'params'],
  ['query', 'querystring', 'query'],
  ['header', 'headers', 'headers'],
  ['body', 'body', 'body'],
] as const;

/** Returns the checks of a route's input schemas, in the order in which errors are reported. */
function partChecks(schema: FastifySchema): PartCheck[] {
  return partsInOrder.flatMap(([part, declared, property]): PartCheck[] => {
    const partSchema = schema[declared];
    if (!(partSchema instanceof z.core.$ZodType)) return [];
    const reader = once(() => partReader(part, partSchema));
    return [{ part, property, schema: partSchema, reader }];
  });
}

/** True when the route declares any input, so that it can answer with 422. */
export function hasInputSchema(schema: FastifySchema | undefined): boolean {
  return (
    schema !== undefined && partsInOrder.some(([, declared]) => schema[declared] !== undefined)
  );
}

function tooDeep(part: RequestPart): ValidationDetail {
  return {
    type: 'value_error',
    loc: [part],
    msg: 'Value error, nested too deeply',
    input: null,
    ctx: { error: {} },
  };
}

/**
 * Errors for repeated single-valued parameters. FastAPI uses the last value, but the client's
 * intent is unknown.
 */
function repetitionErrors(values: unknown, { part, reader }: PartCheck): ValidationDetail[] {
  if (typeof values !== 'object' || values === null) return [];
  return reader().singles.flatMap((name) => {
    const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
    if (!Array.isArray(value)) return [];
    return [
      { ...valueError([part, name], 'may be given only once'), input: echoInput(value, [name]) },
    ];
  });
}

/** Replaces the part by its parsed value, or returns its errors. */
function checkPart(request: FastifyRequest, check: PartCheck): ValidationDetail[] | undefined {
  const original = request[check.property];
  const { read } = check.reader();
  const given =
    read === undefined || typeof original !== 'object' || original === null
      ? original
      : read(original);
  try {
    const repetitions = repetitionErrors(original, check);
    const { value, issues } = runWithRules(check.schema, given);
    if (issues.length > 0 || repetitions.length > 0) {
      const refused = { part: check.part, original, value: given };
      return [...repetitions, ...describeIssues(refused, issues)];
    }
    Reflect.set(request, check.property, value);
    return check.part === 'body' ? undefined : checkUrlTexts(request, check.part, value);
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep(check.part)];
    throw error;
  }
}

function createCheckHook(checks: readonly PartCheck[]): preValidationHookHandler {
  return (request, _reply, done) => {
    let details: ValidationDetail[] | undefined;
    for (const check of checks) {
      const found = checkPart(request, check);
      if (found !== undefined) details = details === undefined ? found : [...details, ...found];
    }
    if (details === undefined) done();
    else done(new RequestValidationError(details));
  };
}

/**
 * Validates all parts of every request against its route's zod schemas: path, query, header, body.
 * The parsed values replace `request.params`, `query`, `headers` and `body`. All errors become one
 * RequestValidationError. Fastify's own validation is disabled, because it stops at the first
 * invalid part.
 */
export function registerValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.addHook('onRoute', (route) => {
    const checks = partChecks(route.schema ?? {});
    if (checks.length === 0) return;
    const existingHooks = route.preValidation ?? [];
    route.preValidation = [
      ...(Array.isArray(existingHooks) ? existingHooks : [existingHooks]),
      createCheckHook(checks),
    ];
  });
}
