import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface LintReport {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[];
}

const redocly = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; });
    child.on('error', reject).on('close', () => resolve(text));
  });
}

/** What Redocly's recommended rules find wrong with an OpenAPI document, one line for each problem; warnings too. */
export async function lintOpenApi(document: unknown): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    await writeFile(join(dir, 'openapi.json'), JSON.stringify(document));
    const text = await run(redocly, ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json', '--max-problems', '1000'], dir);
    const { problems } = JSON.parse(text) as LintReport;
    return problems.map(({ ruleId, severity, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
