import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Finding {
  code: string;
  severity: number;
  message: string;
  path: (string | number)[];
}

interface LintReport {
  problems: {
    ruleId: string;
    severity: string;
    message: string;
    location: { pointer?: string }[];
  }[];
}

export const fromRoot = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

export function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', reject).on('close', () => resolve(text));
  });
}

export async function withFile<T>(document: unknown, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    await writeFile(join(dir, 'openapi.json'), JSON.stringify(document));
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Lints an OpenAPI document by Redocly's recommended rules. Returns one line per problem, warnings
 * included. Exceptions are in .config/redocly.yaml.
 */
export const lintOpenApi = (document: unknown): Promise<string[]> =>
  withFile(document, async (dir) => {
    const text = await run(
      fromRoot('node_modules/.bin/redocly'),
      [
        'lint',
        'openapi.json',
        '--config',
        fromRoot('.config/redocly.yaml'),
        '--format',
        'json',
        '--max-problems',
        '1000',
      ],
      dir,
    );
    const { problems } = JSON.parse(text) as LintReport;
    return problems.map(
      ({ ruleId, severity, message, location }) =>
        `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
    );
  });

/**
 * Lints an OpenAPI document by Spectral's OpenAPI rules and those of OWASP. Returns one line per
 * problem, warnings included. Exceptions are in .config/spectral.mjs.
 */
export const lintBySpectral = (document: unknown): Promise<string[]> =>
  withFile(document, async (dir) => {
    const args = [
      'lint',
      'openapi.json',
      '--quiet',
      '--ruleset',
      fromRoot('.config/spectral.mjs'),
      '--format',
      'json',
      '--output',
      'found.json',
      '--fail-severity',
      'hint',
    ];
    await run(fromRoot('node_modules/.bin/spectral'), args, dir);
    const found = JSON.parse(await readFile(join(dir, 'found.json'), 'utf8')) as Finding[];
    return found.map(
      ({ code, severity, message, path }) =>
        `${['error', 'warn', 'info', 'hint'][severity] ?? ''} ${code}: ` +
        `${message} (${path.join('.')})`,
    );
  });
