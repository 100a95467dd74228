import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const commands = ['export', 'import'];

/** Returns the npm script for a built command; throws when the project's own script has changed. */
async function scriptOf(name: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Partial<Record<string, string>>;
  };
  const script = scripts[name] ?? 'nothing';
  if (script !== `exec node scripts/run.mjs ${name}`)
    throw new Error(`npm run ${name} is "${script}" now: see to it here as well`);
  // Runs the built file directly: scripts/run.mjs would rebuild changed sources while other tests
  // use them.
  return `node ${join(root, 'dist', `${name}.js`)}`;
}

/** Creates a folder in which `npm run export` and `npm run import` work as in the project. */
export async function makeProjectFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const scripts = Object.fromEntries(
    await Promise.all(
      commands.map(async (name): Promise<[string, string]> => [name, await scriptOf(name)]),
    ),
  );
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', scripts }),
  );
  return folder;
}
