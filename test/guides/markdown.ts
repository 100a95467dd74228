/** A fenced block of a guide. */
export interface Block {
  /** The info string of the fence: `sh`, `json`, … */
  language: string;
  text: string;
  /** Line number of its first line in the file. */
  line: number;
  /** Why it is not run, from a comment just above: `<!-- not run: reason -->`. */
  notRun: string | undefined;
  /** The error status it must be answered with, from a comment above: `<!-- answered: 403 -->`. */
  refusal: number | undefined;
}

const comments = { notRun: /^<!-- not run: (.+) -->$/, refusal: /^<!-- answered: ([45]\d\d) -->$/ };

/** Returns the last non-empty line before `end`. */
function lineAbove(lines: readonly string[], end: number): string {
  return lines.slice(0, end).findLast((line) => line.trim() !== '') ?? '';
}

/** Returns every fenced block of a guide, in order. Throws when a fence is not closed. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, fence, language = ''] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const length = lines.slice(at + 1).findIndex((line) => line.trim() === fence);
    if (length === -1) throw new Error(`The block in line ${at + 1} has no end.`);
    const above = lineAbove(lines, at).trim();
    const [, notRun] = comments.notRun.exec(above) ?? [];
    const [, refusal] = comments.refusal.exec(above) ?? [];
    blocks.push({
      language,
      text: lines.slice(at + 1, at + 1 + length).join('\n'),
      line: at + 2,
      notRun,
      refusal: refusal === undefined ? undefined : Number(refusal),
    });
    at += length + 1;
  }
  return blocks;
}
