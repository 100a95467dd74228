import { findProgram, run } from './command.mjs';
import { SetupError, step } from './say.mjs';

const managers = [
  {
    name: 'apt-get',
    prepare: ['update', '-q'],
    install: ['install', '-y', '-q', '--no-install-recommends'],
  },
  { name: 'dnf', install: ['install', '-y', '-q'] },
  { name: 'apk', install: ['add', '--no-cache', '-q'] },
  { name: 'brew', install: ['install', '-q'], asUser: true },
];

/**
 * Finds the first of `program.names`, or installs their package with the system's package manager
 * if the user may, or `program.olderPackages` where the release lacks one of them. Returns the path
 * of the program. Throws a SetupError with instructions otherwise.
 */
export async function ensureProgram(program) {
  const present = findProgram(program.names, program.folders?.());
  if (present !== undefined) return present;
  await install(program);
  const installed = findProgram(program.names, program.folders?.());
  if (installed === undefined)
    throw new SetupError(
      `${program.names[0]} is still missing after its package was installed. ${program.otherwise}`,
    );
  return installed;
}

async function install({ names, packages, olderPackages, otherwise }) {
  const manager = managers.find(
    ({ name }) => packages[name] !== undefined && findProgram([name]) !== undefined,
  );
  const wanted = packages[manager?.name] ?? [];
  const asRoot = manager && (await privilege(manager));
  if (asRoot === undefined)
    throw new SetupError(`${names[0]} is missing. ${manualCommand(manager, wanted)}${otherwise}`);
  await step(`Installing ${wanted.join(' ')} (${manager.name})`, async () => {
    if (manager.prepare) await runAs(asRoot, manager.name, manager.prepare);
    const failure = await installOne(asRoot, manager, [wanted, olderPackages?.[manager.name]]);
    if (failure !== undefined) throw new SetupError(failure);
  });
}

/** Installs the first of the choices that can be; returns why the last one could not. */
async function installOne(asRoot, manager, choices) {
  let failure;
  for (const wanted of choices.filter((each) => each !== undefined)) {
    const { code, output } = await runAs(asRoot, manager.name, [...manager.install, ...wanted]);
    if (code === 0) return undefined;
    failure = `${manager.name} could not install ${wanted.join(' ')}: ${lastLine(output)}`;
  }
  return failure;
}

/**
 * Returns what to put before the command: nothing, or sudo without a password prompt; undefined
 * when neither is allowed.
 */
async function privilege(manager) {
  if (manager.asUser || process.getuid?.() === 0) return [];
  if (findProgram(['sudo']) === undefined) return undefined;
  return (await run('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : undefined;
}

function runAs(before, program, args) {
  const [first, ...rest] = [...before, program, ...args];
  return run(first, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function manualCommand(manager, wanted) {
  if (manager === undefined) return '';
  const sudo = manager.asUser ? '' : 'sudo ';
  return (
    `Install it with: ${sudo}${manager.name} install ${wanted.join(' ')}`.replace(
      'apk install',
      'apk add',
    ) + ' — '
  );
}

function lastLine(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.findLast((line) => /^E:|error/i.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
}
