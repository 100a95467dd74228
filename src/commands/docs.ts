import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, buildApp } from '../app/app.ts';
import { type Config, configSchema, parseConfig } from '../config.ts';
import { createLogger } from '../platform/process/logger.ts';
import { notice } from './docs/notice.ts';
import { routesPage } from './docs/routes-page.ts';

interface Setting {
  name: string;
  description: string;
  fallback: string;
}

function settings(): Setting[] {
  const defaults: Config = parseConfig({});
  return Object.entries(configSchema.shape).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    fallback: textOf(Reflect.get(defaults, name)),
  }));
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : JSON.stringify(value);
}

function envExample(): string {
  const blocks = settings().map(
    ({ name, description, fallback }) => `# ${description}\n#${name}=${fallback}`,
  );
  return (
    `# Settings of the service, read from .env by npm start. ${notice}\n` +
    `# Every setting has a default; take the # away to change one.\n\n${blocks.join('\n\n')}\n`
  );
}

function configurationPage(): string {
  const rows = settings().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | ${fallback === '' ? '(unset)' : `\`${fallback}\``} | ` +
      `${description.replaceAll('|', '\\|')} |`,
  );
  return (
    `# Configuration\n\n${notice}\n\nSettings are environment variables; ` +
    '`npm start` also reads them from a file `.env` in the project folder (the real\n' +
    'environment wins). An empty value counts as unset. ' +
    'A wrong one stops the start with one line for each mistake.\n\n' +
    `| Setting | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
  );
}

/** Builds the service over an empty folder, without a log, for the time of `use`. */
async function withRoutes<Result>(use: (http: App['http']) => Result): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const { http } = await buildApp(
    parseConfig({ NODE_ENV: 'test', DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    { logger: createLogger({ level: 'silent' }) },
  );
  try {
    return use(http);
  } finally {
    await http.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(check: boolean): Promise<number> {
  const pages = {
    '.env.example': envExample(),
    'docs/configuration.md': configurationPage(),
    'docs/routes.md': await withRoutes(routesPage),
  };
  let stale = 0;
  for (const [path, text] of Object.entries(pages)) {
    const current = await readFile(path, 'utf8').catch(() => '');
    if (current === text) continue;
    stale += 1;
    if (check) process.stdout.write(`${path} is not up to date: run npm run docs\n`);
    else await writeFile(path, text);
  }
  return check && stale > 0 ? 1 : 0;
}

process.exit(await main(process.argv.includes('--check')));
