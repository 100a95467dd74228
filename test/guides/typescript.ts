import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { documentedOrigin } from './shell.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [], strict: true, noEmit: true, skipLibCheck: true,
};

/** What the compiler says of a block, as it would to a reader who pastes it into a strict project for browsers. */
export async function typeErrors(source: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  try {
    const path = join(folder, 'example.ts');
    await writeFile(path, source);
    return ts.getPreEmitDiagnostics(ts.createProgram([path], options)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a block of TypeScript against `origin`; gives what it exports. */
export async function loadTypeScript<Exports>(source: string, origin: string): Promise<Exports> {
  const { outputText } = ts.transpileModule(source.replaceAll(documentedOrigin, origin), { compilerOptions: options });
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputText)}`) as Promise<Exports>;
}
