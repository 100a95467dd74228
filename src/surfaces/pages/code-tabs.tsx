import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { CodeBlock } from '../../platform/ui/components/code-block.tsx';
import type { HomeSamples } from './snippets.ts';

interface CodeTabTexts {
  legend: string;
  tabs: Readonly<Record<keyof HomeSamples, string>>;
}

const ids = ['curl', 'html', 'js', 'python'] as const;
const languages = { html: 'html', curl: 'sh', js: 'js', python: 'python' } as const;

/** The same call in several languages. The chosen radio button shows its sample, without script. */
export const codeTabs = ({ legend, tabs }: CodeTabTexts, samples: HomeSamples): Html => (
  <fieldset class="code-tabs">
    <legend class="visually-hidden">{escapeHtml(legend)}</legend>
    {ids.map((id, at) => (
      <>
        <input type="radio" name="language" id={`tab-${id}`} value={id} checked={at === 0} />
        <label for={`tab-${id}`}>{escapeHtml(tabs[id])}</label>
      </>
    ))}
    {ids.map((id) => (
      <div class={`code-tab code-tab-${id}`}>
        <CodeBlock caption={tabs[id]} code={samples[id]} language={languages[id]} />
      </div>
    ))}
  </fieldset>
);
