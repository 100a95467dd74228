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
 * Checks values by the schemas of an OpenAPI 3.1 document (JSON Schema 2020-12). Gives what is
 * wrong, one line each; nothing when the value is valid.
 */
export function createSchemaCheck(document: { components: object }) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema({ $id: documentId, components: document.components });
  const known = new Map<string, Check>();
  return (schema: object, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`);
    const check = known.get(text) ?? ajv.compile(JSON.parse(text) as object);
    known.set(text, check);
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message = '' }) =>
            `${instancePath === '' ? '(whole)' : instancePath} ${message}`,
        );
  };
}

export type SchemaCheck = ReturnType<typeof createSchemaCheck>;
