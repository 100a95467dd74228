import type { MessagePort } from 'node:worker_threads';
import type { EventReader } from '../store/duckdb/questions/reader.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { ExportQuestion } from '../store/questions.ts';
import type { ApplyLoop } from './apply-loop.ts';
import type { FromWorker, Question } from './protocol.ts';

/** Parts of an export that may be under way at once. */
const window = 8;

/** Sends the parts of an export through its own port, no faster than they are taken. */
async function sendExport(
  reader: EventReader,
  query: ExportQuestion,
  port: MessagePort,
): Promise<number> {
  const left = new AbortController();
  let room = window;
  let proceed: (() => void) | undefined;
  port.on('message', () => {
    room += 1;
    proceed?.();
  });
  port.on('close', () => {
    left.abort(new Error('the receiver of the export went away'));
    proceed?.();
  });
  const rows = await reader.export(
    query,
    async (part) => {
      while (room === 0 && !left.signal.aborted)
        await new Promise<void>((resolve) => (proceed = resolve));
      left.signal.throwIfAborted();
      room -= 1;
      port.postMessage(part);
    },
    left.signal,
  );
  port.postMessage(null);
  return rows;
}

/** Answers questions of the main thread. */
export function createQuestionHandler({
  reader,
  writer,
  loop,
  tell,
}: {
  reader: EventReader;
  writer: Pick<EventWriter, 'deleteBefore'>;
  loop: ApplyLoop;
  tell: (message: FromWorker) => void;
}) {
  const exportPorts = new Set<MessagePort>();

  async function exportThrough({
    query,
    port,
  }: {
    query: ExportQuestion;
    port: MessagePort;
  }): Promise<number> {
    exportPorts.add(port);
    return sendExport(reader, query, port).finally(() => exportPorts.delete(port));
  }

  async function forgetBefore({
    siteId,
    before,
  }: {
    siteId: number;
    before: number;
  }): Promise<number> {
    let events: number | undefined;
    await loop.between(async () => {
      events = await writer.deleteBefore(siteId, before);
    });
    if (events === undefined) throw new Error('old events could not be deleted');
    return events;
  }

  const underWay = new Map<number, AbortController>();

  async function answer(question: Question, signal: AbortSignal): Promise<unknown> {
    switch (question.name) {
      case 'dashboard':
        return reader.dashboard(question.question, signal);
      case 'retention':
        return reader.retention(question.question, signal);
      case 'forget':
        return { events: await forgetBefore(question.question) };
      case 'goals':
        return reader.goals(question.question, signal);
      case 'funnel':
        return reader.funnel(question.question, signal);
      case 'stats':
        return reader.siteStats(signal);
      case 'export':
        return { rows: await exportThrough(question.question) };
      case 'drain': {
        await loop.drain(question.question.upTo);
        return null;
      }
    }
  }

  return {
    /** Answers a question, or says why not. */
    async handle(question: Question): Promise<void> {
      const { id } = question;
      const ended = new AbortController();
      underWay.set(id, ended);
      try {
        tell({ kind: 'answer', id, answer: await answer(question, ended.signal) });
      } catch (error) {
        tell({
          kind: 'refused',
          id,
          message: error instanceof Error ? error.message : String(error),
        });
      } finally {
        underWay.delete(id);
      }
    },

    /** Ends a question, which is refused then; one that has been answered stays so. */
    cancel: (id: number): void => underWay.get(id)?.abort(new Error('the question was taken back')),

    /** Ends exports that wait for their receiver. */
    close(): void {
      for (const port of exportPorts) port.close();
    },
  };
}

export type QuestionHandler = ReturnType<typeof createQuestionHandler>;
