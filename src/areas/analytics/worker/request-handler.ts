import type { MessagePort } from 'node:worker_threads';
import type { EventReader } from '../store/duckdb/queries/reader.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { ExportStoreQuery } from '../store/queries.ts';
import type { ApplyLoop } from './apply-loop.ts';
import type { FromWorker, WorkerRequest } from './protocol.ts';

/** Maximum number of unacknowledged parts of an export. */
const maxPartsInFlight = 8;

/** Sends the parts of an export through its own port, at the pace of the receiver. */
async function sendExport(
  reader: EventReader,
  query: ExportStoreQuery,
  port: MessagePort,
): Promise<number> {
  const closed = new AbortController();
  let credit = maxPartsInFlight;
  let proceed: (() => void) | undefined;
  port.on('message', () => {
    credit += 1;
    proceed?.();
  });
  port.on('close', () => {
    closed.abort(new Error('the receiver of the export went away'));
    proceed?.();
  });
  const send = async (part: Uint8Array) => {
    while (credit === 0 && !closed.signal.aborted)
      await new Promise<void>((resolve) => (proceed = resolve));
    closed.signal.throwIfAborted();
    credit -= 1;
    port.postMessage(part);
  };
  const rows = await reader.export(query, send, closed.signal);
  port.postMessage(null);
  return rows;
}

/** Handles the requests of the main thread. */
export function createRequestHandler({
  reader,
  writer,
  loop,
  send,
}: {
  reader: EventReader;
  writer: Pick<EventWriter, 'deleteBefore'>;
  loop: ApplyLoop;
  send: (message: FromWorker) => void;
}) {
  const exportPorts = new Set<MessagePort>();
  const inFlight = new Map<number, AbortController>();

  return {
    /** Sends the answer to a request, or the reason why it was rejected. */
    async handle(request: WorkerRequest): Promise<void> {
      const { id } = request;
      const cancellation = new AbortController();
      inFlight.set(id, cancellation);
      try {
        send({ kind: 'answer', id, answer: await answer(request, cancellation.signal) });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        send({ kind: 'refused', id, message });
      } finally {
        inFlight.delete(id);
      }
    },

    /** Cancels a request, which is then rejected. Does nothing once it has been answered. */
    cancel: (id: number): void => inFlight.get(id)?.abort(new Error('the query was canceled')),

    /** Cancels exports that wait for their receiver. */
    close(): void {
      for (const port of exportPorts) port.close();
    },
  };

  async function answer(request: WorkerRequest, signal: AbortSignal): Promise<unknown> {
    switch (request.name) {
      case 'export': {
        const { query, port } = request.params;
        exportPorts.add(port);
        const sending = sendExport(reader, query, port);
        return { rows: await sending.finally(() => exportPorts.delete(port)) };
      }
      case 'delete':
        return { events: await deleteBefore(request.params.siteId, request.params.before) };
      case 'drain':
        await loop.drain(request.params.upTo);
        return null;
      default:
        return reader.read(request.name, request.params, signal);
    }
  }

  async function deleteBefore(siteId: number, before: number): Promise<number> {
    let events: number | undefined;
    await loop.runExclusively(async () => {
      events = await writer.deleteBefore(siteId, before);
    });
    if (events === undefined) throw new Error('old events could not be deleted');
    return events;
  }
}

export type RequestHandler = ReturnType<typeof createRequestHandler>;
