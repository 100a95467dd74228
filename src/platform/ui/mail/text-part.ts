import type { Bar, Block, Fact, MailContent, MailLink, Stat } from './content.ts';

const factLine = ({ label, value }: Fact): string => `${label}: ${value}`;
const barLine = ({ detail, ...fact }: Bar): string =>
  detail === undefined ? factLine(fact) : `${factLine(fact)}, ${detail}`;
const statLine = ({ change, ...fact }: Stat): string =>
  change === undefined ? factLine(fact) : `${factLine(fact)} (${change.text})`;
const linkLines = ({ label, url }: MailLink): string => `${label}:\n${url}`;

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'code':
      return block.code;
    case 'facts':
      return block.facts.map(factLine).join('\n');
    case 'stats':
      return block.stats.map(statLine).join('\n');
    case 'columns':
    case 'rows':
      return [block.title, ...block.bars.map(barLine)].join('\n');
    case 'button':
      return linkLines(block);
  }
}

/** Renders the text/plain part. */
export function mailText({ title, blocks, footer: { reason, link } }: MailContent): string {
  const footer = [reason, ...(link === undefined ? [] : [linkLines(link)])];
  return `${[title, ...blocks.map(textOf), ...footer].join('\n\n')}\n`;
}
