import type { MessagePort } from 'node:worker_threads';
import type { EventReader, ExportQuestion } from '../../../platform/events/questions.ts';
import type { EventWriter } from '../../../platform/events/types.ts';
import type { Loop } from './loop.ts';
import type { FromWorker, Question } from './protocol.ts';

/** Parts of an export that may be under way at once. */
const window = 8;

/** Sends the parts of an export through its own port, no faster than they are taken. */
async function sendExport(reader: EventReader, query: ExportQuestion, port: MessagePort): Promise<number> {
  let room = window;
  let proceed: (() => void) | undefined;
  let gone = false;
  port.on('message', () => {
    room += 1;
    proceed?.();
  });
  port.on('close', () => {
    gone = true;
    proceed?.();
  });
  const rows = await reader.export(query, async (part) => {
    while (room === 0 && !gone) await new Promise<void>((resolve) => (proceed = resolve));
    if (gone) throw new Error('the receiver of the export went away');
    room -= 1;
    port.postMessage(part);
  });
  port.postMessage(null);
  return rows;
}

/** Answers questions of the main thread. */
export function createAnswers({ reader, writer, loop, tell }: { reader: EventReader; writer: Pick<EventWriter, 'forgetBefore'>; loop: Loop; tell: (message: FromWorker) => void }) {
  async function forgetBefore({ siteId, before }: { siteId: number; before: number }): Promise<number> {
    let events: number | undefined;
    await loop.between(async () => {
      events = await writer.forgetBefore(siteId, before);
    });
    if (events === undefined) throw new Error('old events could not be deleted');
    return events;
  }

  async function answer(question: Question): Promise<unknown> {
    switch (question.name) {
      case 'dashboard': return reader.dashboard(question.question);
      case 'retention': return reader.retention(question.question);
      case 'forget': return { events: await forgetBefore(question.question) };
      case 'goals': return reader.goals(question.question);
      case 'funnel': return reader.funnel(question.question);
      case 'stats': return reader.siteStats();
      case 'export': return { rows: await sendExport(reader, question.question.query, question.question.port) };
      case 'drain': {
        await loop.drain(question.question.upTo);
        return null;
      }
    }
  }

  return async (question: Question): Promise<void> => {
    try {
      tell({ kind: 'answer', id: question.id, answer: await answer(question) });
    } catch (error) {
      tell({ kind: 'refused', id: question.id, message: error instanceof Error ? error.message : String(error) });
    }
  };
}
