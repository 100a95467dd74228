import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The origin of the service in the guides. */
export const documentedOrigin = 'http://127.0.0.1:3000';

/** The output of a shell block and the HTTP status of each of its requests. */
export interface Printed {
  text: string;
  stderr: string;
  statuses: number[];
}

/** Throws when curl is missing: skipping the guides would look like a success. */
export async function requireCurl(): Promise<void> {
  await run('curl', ['--version']).catch((error: unknown) => {
    throw new Error(
      'The guides are run with curl, and there is none on this machine: install it (apt-get ' +
        'install curl).',
      { cause: error },
    );
  });
}

/**
 * Runs a shell block unchanged, but against `origin` and in `folder`. Throws when a variable is
 * unset or a program fails.
 */
export async function runShell(
  script: string,
  origin: string,
  variables: Readonly<Record<string, string>>,
  folder = tmpdir(),
): Promise<Printed> {
  const instrumented =
    `curl() { command curl -w '%{stderr}status %{http_code}\\n' "$@"; }\n` +
    script.replaceAll(documentedOrigin, origin);
  const env = { PATH: process.env.PATH ?? '', ...variables };
  const { stdout, stderr } = await run('sh', ['-euc', instrumented], {
    env,
    cwd: folder,
    timeout: 15_000,
  });
  return {
    text: stdout,
    stderr: stderr.replaceAll(/^status \d+\n/gm, ''),
    statuses: [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status)),
  };
}
