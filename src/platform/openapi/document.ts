import type { OperationFacts } from './operation-facts.ts';

/** The parts of an OpenAPI 3.1 document that this folder uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export interface Media {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: JsonSchema;
  example?: unknown;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, Response>;
  'x-rate-limit'?: OperationFacts['limit'];
  /** The operation that it repeats at another path or method. */
  'x-alias-of'?: string;
  /** True for pages of HTML and the forms on them. */
  'x-page'?: boolean;
  /** Present only while the document is being built. */
  'x-facts'?: OperationFacts;
}

export interface OpenApiDocument {
  info?: object;
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses?: Record<string, Response>;
    headers?: Record<string, object>;
  };
}

/** Returns every operation of the document. */
export const operationsOf = ({ paths }: Pick<OpenApiDocument, 'paths'>): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path));

/** Returns the paths and the named parts of the document. */
export const partsOf = ({ paths, components }: OpenApiDocument): object[] => [
  ...Object.values(paths),
  ...Object.values(components).flatMap((named) => Object.values<object>(named)),
];
