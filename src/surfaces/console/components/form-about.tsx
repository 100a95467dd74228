import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { type Fact, Facts } from '../../../platform/ui/components/table.tsx';

export interface FormAboutOptions {
  /** What a form is about, by its name. */
  title: string;
  /** Beside the name: an avatar, the picture of a code. */
  picture?: Content;
  /** The line below the name. */
  detail?: string | undefined;
  facts?: readonly (Fact | undefined)[];
  /** Further parts. */
  children?: Content;
}

/** What is known of the thing that a form is about. Pass it as `about` to `formPage`. */
export const FormAbout = (options: FormAboutOptions): Html => {
  const { title, picture, detail, facts = [], children } = options;
  return (
    <>
      <div class="form-about-head">
        {picture}
        <div>
          <p class="form-about-title">{escapeHtml(title)}</p>
          {detail !== undefined && <p class="hint">{escapeHtml(detail)}</p>}
        </div>
      </div>
      {facts.some(Boolean) && <Facts facts={facts} />}
      {children}
    </>
  );
};

/** Sentences, one below the other. */
export const Points = ({ items }: { items: readonly string[] }): Html => (
  <ul class="points">
    {items.map((item) => (
      <li safe>{item}</li>
    ))}
  </ul>
);

/** Sentences below a heading: what happens next, what stays. */
export const TitledPoints = ({
  title,
  items,
}: {
  title: string;
  items: readonly string[];
}): Html => (
  <>
    <h2 class="form-about-heading" safe>
      {title}
    </h2>
    <Points items={items} />
  </>
);

/** Facts below a heading, such as the figures of a period. */
export const TitledFacts = ({ title, facts }: { title: string; facts: readonly Fact[] }): Html => (
  <>
    <h2 class="form-about-heading" safe>
      {title}
    </h2>
    <Facts facts={facts} />
  </>
);
