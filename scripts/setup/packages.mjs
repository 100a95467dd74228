import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { run } from './command.mjs';
import { inRoot, root } from './paths.mjs';
import { SetupError, step } from './say.mjs';

const stampFile = inRoot('node_modules', '.stamp');

/**
 * Installs the packages of package-lock.json if they are missing, differ, or were installed for
 * another Node.
 */
export async function ensurePackages() {
  const lock = readOrUndefined(inRoot('package-lock.json'));
  if (lock === undefined)
    throw new SetupError('package-lock.json is missing: the project folder is not complete.');
  const stamp = stampOf(lock);
  const found = readOrUndefined(stampFile);
  if (found === stamp) return;
  if (!forAnotherNode(found) && installedAsLocked(lock)) return writeFileSync(stampFile, stamp);
  await step('Installing the packages (npm ci)', install);
  writeFileSync(stampFile, stamp);
}

const platform = `node ${process.versions.node.split('.')[0]} ${process.platform} ${process.arch}`;

function stampOf(lock) {
  return `${createHash('sha256').update(lock).digest('hex')} ${platform}\n`;
}

function forAnotherNode(stamp) {
  return stamp !== undefined && !stamp.endsWith(` ${platform}\n`);
}

// npm records what it has installed, so a developer's own `npm install` needs no second one.
function installedAsLocked(lock) {
  const hidden = readOrUndefined(inRoot('node_modules', '.package-lock.json'));
  if (hidden === undefined) return false;
  const installed = JSON.parse(hidden).packages;
  return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
    const have = installed[path];
    if (
      path === '' ||
      (have === undefined && (wanted.optional || wanted.devOptional || wanted.peer))
    )
      return true;
    return have?.version === wanted.version && have.integrity === wanted.integrity;
  });
}

async function install() {
  // NODE_ENV=production would leave out esbuild, without which nothing can be built.
  const args = [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retry-mintimeout=2000',
    '--fetch-retry-factor=3',
  ];
  const cli = process.env.npm_execpath;
  const usesNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [program, before] = usesNpm ? [process.execPath, [cli]] : ['npm', []];
  const { code, output } = await run(program, [...before, ...args], { cwd: root });
  if (code !== 0) throw new SetupError(`The packages could not be installed: ${reason(output)}`);
}

function reason(output) {
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.exec(output);
  if (offline)
    return (
      `the npm registry cannot be reached (${offline[0]}). ` +
      'Check the network or the proxy settings, then start again.'
    );
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return (
    lines
      .filter((line) => line !== '' && !line.startsWith('A complete log'))
      .slice(0, 3)
      .join(' · ') || 'npm gave no reason.'
  );
}

function readOrUndefined(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
