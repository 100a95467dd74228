import type { Html } from '../../../lib/text/html.ts';

export interface NextStepsOptions {
  /** Such as "What happens next". */
  title: string;
  steps: readonly string[];
}

/** What happens after a form is sent, in order. */
export const NextSteps = ({ title, steps }: NextStepsOptions): Html => (
  <section class="next-steps" aria-labelledby="next-steps">
    <h2 id="next-steps" safe>
      {title}
    </h2>
    <ol>
      {steps.map((step) => (
        <li safe>{step}</li>
      ))}
    </ol>
  </section>
);
