import { openAndGreet, openMany } from '../support/raw-socket.ts';

/**
 * Holds many idle sockets. Arguments: port, path, count, local address, first message, text that
 * the reply to it contains. It prints how many are open once all have been tried, and again for
 * every line on stdin; it exits when stdin ends.
 */
const [port, path = '/', count, from, hello = '', expectedReply = ''] = process.argv.slice(2);
let open = 0;
let failed = 0;

await openMany(Number(count), 100, async () => {
  try {
    await openAndGreet(
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
      expectedReply,
    );
    open += 1;
  } catch {
    failed += 1;
  }
});
const report = () => console.log(JSON.stringify({ open, failed }));
report();
process.stdin.on('data', report).on('end', () => process.exit(0));
