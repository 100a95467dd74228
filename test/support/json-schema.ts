import { createRequire } from 'node:module';

type Check = ((value: unknown) => boolean) & {
  errors?: { instancePath: string; message?: string }[] | null;
};
interface Ajv {
  addSchema: (schema: object) => Ajv;
  compile: (schema: object) => Check;
}

// Ajv comes with Fastify, one level down.
const requireWithFastify = createRequire(
  createRequire(import.meta.url).resolve('@fastify/ajv-compiler'),
);
const { default: Ajv2020 } = requireWithFastify('ajv/dist/2020.js') as {
  default: new (options: object) => Ajv;
};
const { default: addFormats } = requireWithFastify('ajv-formats') as {
  default: (ajv: Ajv) => void;
};

const documentId = 'https://document.test/';

/**
 * Creates a function that validates a value against a schema of an OpenAPI 3.1 document (JSON
 * Schema 2020-12). It returns one line per fault; an empty list when the value is valid.
 */
export function createSchemaCheck(document: { components: object }) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema({ $id: documentId, components: document.components });
  const compiled = new Map<string, Check>();
  return (schema: object, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`);
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, check);
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message = '' }) =>
            `${instancePath === '' ? '(whole)' : instancePath} ${message}`,
        );
  };
}

export type SchemaCheck = ReturnType<typeof createSchemaCheck>;
