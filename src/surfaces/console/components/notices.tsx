import type { Html } from '../../../lib/text/html.ts';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { texts } from '../texts/en.ts';
import { ActionButton, type ActionButtonOptions } from './console-form.tsx';

/** Reverts what was just done, in its notice: a form without fields, like any other change. */
export const UndoButton = (form: Pick<ActionButtonOptions, 'action' | 'values'>): Html => (
  <ActionButton {...form} label={texts.undo} icon="undo" kind="ghost" />
);

/**
 * The notice of what was just done: the sentence for the value of `done` in the address. `undo`: an
 * `UndoButton`, or another form that reverts it. Undefined for unknown names: addresses may say
 * anything, also `constructor`.
 */
export const doneNotice = (
  sentences: Readonly<Partial<Record<string, string>>>,
  done: string | undefined,
  { undo }: { undo?: Html | undefined } = {},
): Html | undefined => {
  const text = done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
  return text === undefined ? undefined : <Toast text={text} undo={undo} />;
};
