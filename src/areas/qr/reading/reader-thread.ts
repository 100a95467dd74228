import { type MessagePort, parentPort } from 'node:worker_threads';
import { toError } from '../../../lib/to-error.ts';
import { checkDrawn } from './check.ts';
import { loadDecoders } from './decoders.ts';
import type { FromReader, ToReader } from './protocol.ts';

/** Answers checks until it is told to stop. The running one is still answered. */
function serve(port: MessagePort): void {
  const decoders = loadDecoders();
  const send = (message: FromReader): void => port.postMessage(message);

  async function check(code: Extract<ToReader, { kind: 'check' }>['code']): Promise<void> {
    try {
      send({ kind: 'checked', problem: await checkDrawn(await decoders, code) });
    } catch (error) {
      send({ kind: 'failed', message: toError(error).message });
    }
  }

  let running = Promise.resolve();
  port.on('message', (message: ToReader) => {
    if (message.kind === 'stop') void running.then(() => port.close());
    else running = check(message.code);
  });
}

if (parentPort !== null) serve(parentPort);
