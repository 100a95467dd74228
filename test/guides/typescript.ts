import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { documentedOrigin } from './shell.ts';

const packages = join(import.meta.dirname, '../../node_modules');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  // A block is compiled in a separate folder without packages.
  paths: { '*': [join(packages, '*')] },
};

/** Returns the compiler errors of a block, as in a strict project for browsers. */
export async function typeErrors(source: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  try {
    const path = join(folder, 'example.ts');
    await writeFile(path, source);
    return ts
      .getPreEmitDiagnostics(ts.createProgram([path], options))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Resolves imported packages to file URLs, since a `data:` module cannot import them by name. */
function resolveImports(code: string): string {
  const { resolve } = createRequire(import.meta.url);
  return code.replaceAll(
    /(?<=^import .* from )'([^'.:]+)'/gm,
    (_, name: string) => `'${pathToFileURL(resolve(name)).href}'`,
  );
}

/** Runs a block of TypeScript against `origin` and returns its exports. */
export async function loadTypeScript<Exports>(source: string, origin: string): Promise<Exports> {
  const { outputText } = ts.transpileModule(source.replaceAll(documentedOrigin, origin), {
    compilerOptions: options,
  });
  return import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(resolveImports(outputText))}`
  ) as Promise<Exports>;
}
