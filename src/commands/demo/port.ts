import { createServer } from 'node:net';
import { CommandError } from '../service/command.ts';

const [defaultPort, maxPorts] = [3000, 20];
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
  const first = wanted ?? defaultPort;
  const last = wanted ?? defaultPort + maxPorts - 1;
  for (let port = first; port <= last; port += 1) {
    if (!(await isFree(port))) continue;
    if (port !== first)
      say(
        `Port ${first} is taken: the demo listens on ${port}. ` +
          `For another one: PORT=${port + 1} npm run demo`,
      );
    return port;
  }
  const taken = first === last ? `Port ${first} is` : `The ports from ${first} to ${last} are`;
  const other = wanted === undefined ? 8080 : wanted === 65_535 ? 3000 : wanted + 1;
  throw new CommandError(
    `${taken} taken, or may not be used. Choose another one: PORT=${other} npm run demo`,
  );
}
