import type { Html } from '../../../lib/text/html.ts';
import { Toast } from '../../../platform/ui/components/feedback.tsx';

/**
 * The notice of what was just done: the sentence for the value of `done` in the address, with a
 * form to undo it. Undefined for unknown names: addresses may say anything, also `constructor`.
 */
export const doneNotice = (
  sentences: Readonly<Partial<Record<string, string>>>,
  done: string | undefined,
  undo?: Html,
): Html | undefined => {
  const text = done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
  return text === undefined ? undefined : <Toast text={text} undo={undo} />;
};
