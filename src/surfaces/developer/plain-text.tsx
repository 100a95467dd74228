import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { CodeBlock } from '../../platform/ui/components/code-block.tsx';

/** Formats a description from the code: text between backticks becomes code. */
export function formatted(text: string): Html {
  return (
    <>
      {text
        .split('`')
        .map((part, at) => (at % 2 === 1 ? <code safe>{part}</code> : escapeHtml(part)))}
    </>
  );
}

/** Formats a description of several paragraphs and fenced code blocks. */
export function paragraphs(text: string): Html {
  const parts = text.split(/^```\w*\n([^]*?)\n```$/m);
  const prose = (part: string) =>
    part
      .split(/\n{2,}/)
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => <p>{formatted(each)}</p>);
  return (
    <>{parts.map((part, at) => (at % 2 === 1 ? <CodeBlock code={part} /> : <>{prose(part)}</>))}</>
  );
}
