import { openGreeted, openMany } from '../support/raw-socket.ts';

/**
 * Holds many sockets that hear nothing. Arguments: port, path, count, address to come from, first
 * message, what its answer has in it. It prints how many are open once all have been tried, and
 * again with every line it gets; it ends when its stdin does.
 */
const [port, path = '/', count, from, hello = '', awaited = ''] = process.argv.slice(2);
let open = 0;
let failed = 0;

await openMany(Number(count), 100, async () => {
  try {
    await openGreeted(
      {
        port: Number(port),
        path,
        from,
        onMessage: () => undefined,
        onClose: () => {
          open -= 1;
        },
      },
      hello,
      awaited,
    );
    open += 1;
  } catch {
    failed += 1;
  }
});
const say = () => console.log(JSON.stringify({ open, failed }));
say();
process.stdin.on('data', say).on('end', () => process.exit(0));
