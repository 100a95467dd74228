import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const commands = ['export', 'import'];

/** Where the project says how a command is run; the rest stands behind `npm run NAME`. */
async function scriptOf(name: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Partial<Record<string, string>>;
  };
  const script = scripts[name] ?? 'nothing';
  if (script !== `exec node scripts/run.mjs ${name}`)
    throw new Error(`npm run ${name} is "${script}" now: see to it here as well`);
  // The built command by itself: scripts/run.mjs would build first when a source has changed, under
  // the other tests' feet.
  return `node ${join(root, 'dist', `${name}.js`)}`;
}

/** A folder of its own in which `npm run export` and `npm run import` work as in the project's. */
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
