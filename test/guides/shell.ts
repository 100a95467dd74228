import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the guides say that the service is. */
export const documentedOrigin = 'http://127.0.0.1:3000';

/**
 * What a block of shell printed and said on standard error, and the HTTP status of each of its
 * requests.
 */
export interface Printed {
  text: string;
  said: string;
  statuses: number[];
}

/**
 * Throws when there is no curl: the guides can't be run without it, and leaving them out would look
 * like a success.
 */
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
 * Runs a block as it stands, but against `origin`, in `folder`. A variable that was never set, and
 * a program that fails, make it fail.
 */
export async function runShell(
  script: string,
  origin: string,
  variables: Readonly<Record<string, string>>,
  folder = tmpdir(),
): Promise<Printed> {
  const spied =
    `curl() { command curl -w '%{stderr}status %{http_code}\\n' "$@"; }\n` +
    script.replaceAll(documentedOrigin, origin);
  const env = { PATH: process.env.PATH ?? '', ...variables };
  const { stdout, stderr } = await run('sh', ['-euc', spied], {
    env,
    cwd: folder,
    timeout: 15_000,
  });
  return {
    text: stdout,
    said: stderr.replaceAll(/^status \d+\n/gm, ''),
    statuses: [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status)),
  };
}
