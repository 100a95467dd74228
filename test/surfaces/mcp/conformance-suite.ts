import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const script = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

// The suite imports `globSync` (Node 22) for commands that are not used here.
const fs = script(
  'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => ' +
    '{ throw new Error("not here"); };',
);
const hooks = script(`export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(fs)}, shortCircuit: true }
    : next(name, context);`);
const loader = script(
  `import { register } from 'node:module'; register(${JSON.stringify(hooks)});`,
);

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

export interface SuiteRun {
  code: number | null;
  output: string;
}

/** Runs the CLI of the protocol's conformance suite. */
export function runSuite(args: readonly string[], cwd: string): Promise<SuiteRun> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', loader, folder, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
    });
    let output = '';
    const collect = (chunk: Buffer) => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('close', (code) => resolve({ code, output }));
  });
}
