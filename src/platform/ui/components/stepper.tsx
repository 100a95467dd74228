import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon } from '../icon.tsx';

interface Step {
  text: string;
  /** Leads back to a step that is done. */
  href?: string | undefined;
}

export interface StepperOptions {
  label: string;
  steps: readonly Step[];
  /** The index of the present step; those before it are done. */
  current: number;
}

const face = ({ text, href }: Step, at: number, isDone: boolean): Html => {
  const content = (
    <>
      <span class="step-mark" aria-hidden="true">
        {isDone ? <Icon name="check" /> : at + 1}
      </span>
      {escapeHtml(text)}
    </>
  );
  return isDone && href !== undefined ? <a href={href}>{content}</a> : <span>{content}</span>;
};

/** The steps of a task that takes several pages: which are done, and which one this is. */
export const Stepper = ({ label, steps, current }: StepperOptions): Html => (
  <nav class="stepper" aria-label={label}>
    <ol>
      {steps.map((step, at) => (
        <li class={at < current ? 'is-done' : undefined} aria-current={at === current && 'step'}>
          {face(step, at, at < current)}
        </li>
      ))}
    </ol>
  </nav>
);
