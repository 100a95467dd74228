import type { MessagePort } from 'node:worker_threads';
import type { EventReader } from '../store/duckdb/queries/reader.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { ExportStoreQuery } from '../store/queries.ts';
import type { ApplyLoop } from './apply-loop.ts';
import type { FromWorker, WorkerRequest, WorkerRequests } from './protocol.ts';

/** Maximum number of unacknowledged parts of an export. */
const maxPartsInFlight = 8;

export interface RequestHandlerDeps {
  reader: EventReader;
  writer: Pick<EventWriter, 'deleteBefore'>;
  loop: ApplyLoop;
  send: (message: FromWorker) => void;
}

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

async function deleteBefore(
  { loop, writer }: RequestHandlerDeps,
  { siteId, before }: WorkerRequests['delete']['params'],
): Promise<number> {
  let events: number | undefined;
  await loop.runExclusively(async () => {
    events = await writer.deleteBefore(siteId, before);
  });
  if (events === undefined) throw new Error('old events could not be deleted');
  return events;
}

/** Handles the requests of the main thread. */
export function createRequestHandler(deps: RequestHandlerDeps) {
  const { reader, loop, send } = deps;
  const exportPorts = new Set<MessagePort>();
  const inFlight = new Map<number, AbortController>();

  async function answer(request: WorkerRequest, signal: AbortSignal): Promise<unknown> {
    switch (request.name) {
      case 'export': {
        const { query, port } = request.params;
        exportPorts.add(port);
        return {
          rows: await sendExport(reader, query, port).finally(() => exportPorts.delete(port)),
        };
      }
      case 'delete':
        return { events: await deleteBefore(deps, request.params) };
      case 'drain':
        await loop.drain(request.params.upTo);
        return null;
      default:
        return reader.read(request.name, request.params, signal);
    }
  }

  return {
    /** Sends the answer to a request, or the reason why it was rejected. */
    async handle(request: WorkerRequest): Promise<void> {
      const { id } = request;
      const cancellation = new AbortController();
      inFlight.set(id, cancellation);
      try {
        send({ kind: 'answer', id, answer: await answer(request, cancellation.signal) });
      } catch (error) {
        send({
          kind: 'refused',
          id,
          message: error instanceof Error ? error.message : String(error),
        });
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
}

export type RequestHandler = ReturnType<typeof createRequestHandler>;
