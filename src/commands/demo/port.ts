import { createServer } from 'node:net';
import { CommandError } from '../service/command.ts';

const defaultPort = 3000;
const maxPorts = 20;
export const demoHost = '127.0.0.1';

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, demoHost, () => server.close(() => resolve(true)));
  });
}

/**
 * Returns the wanted port, or the first free one from 3000. Throws a CommandError if none is free.
 */
export async function choosePort(
  wanted: number | undefined,
  say: (line: string) => void,
): Promise<number> {
  if (wanted !== undefined) {
    if (await isFree(wanted)) return wanted;
    throw new CommandError(
      `Port ${wanted} is taken, or may not be used. ` +
        `Choose another one: PORT=${wanted === 65_535 ? 3000 : wanted + 1} npm run demo`,
    );
  }
  for (let port = defaultPort; port < defaultPort + maxPorts; port += 1) {
    if (!(await isFree(port))) continue;
    if (port !== defaultPort)
      say(
        `Port ${defaultPort} is taken: the demo listens on ${port}. ` +
          `For another one: PORT=${port + 1} npm run demo`,
      );
    return port;
  }
  throw new CommandError(
    `The ports from ${defaultPort} to ${defaultPort + maxPorts - 1} are taken. ` +
      'Choose another one: PORT=8080 npm run demo',
  );
}
