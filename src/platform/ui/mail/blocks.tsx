import { type Attributes, type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Bar, Block, Fact, MailLink, Stat } from './content.ts';
import { type LookOf, type } from './style.ts';

const table = {
  role: 'presentation',
  cellpadding: 0,
  cellspacing: 0,
  border: 0,
} as const;

/** The size of a cell in pixels or per cent, for email clients that ignore it in `style`. */
export const sized = (width?: number | string, height?: number): Attributes => ({ width, height });

/** A table for layout, as wide as its place. */
export const Grid = ({ children }: { children: Content }) => (
  <table {...table} width="100%" style="border-collapse:separate">
    {children}
  </table>
);

/** A row of the card, with a gap above. */
const Section = ({ children }: { children: Content }) => (
  <tr>
    <td style="padding-top:20px">{children}</td>
  </tr>
);

/** What every part of a mail gets: the attributes of its colours. */
interface Looks {
  look: LookOf;
}

const Heading = ({ title, look }: { title: string } & Looks) => (
  <h2 {...look('text', `margin:0 0 8px;${type.heading}`)} safe>
    {title}
  </h2>
);

function Paragraph({ text, isFirst, look }: { text: string; isFirst: boolean } & Looks): Html {
  const lines = text.split('\n').map((line, index) => (
    <>
      {index > 0 && <br />}
      {escapeHtml(line)}
    </>
  ));
  const style = `margin:${isFirst ? '0' : '12px 0 0'};${type.text}`;
  return <p {...look('text', style)}>{lines}</p>;
}

const paragraphsOf = (text: string): string[] =>
  text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');

const Paragraphs = ({ text, look }: { text: string } & Looks) => (
  <>
    {paragraphsOf(text).map((paragraph, index) => (
      <Paragraph text={paragraph} isFirst={index === 0} look={look} />
    ))}
  </>
);

/** A code in one piece, so that a double click selects all of it. */
const CodeBox = ({ code, look }: { code: string } & Looks) => (
  <Grid>
    <tr>
      <td {...look('sunken', 'border-radius:8px;padding:16px')} align="center">
        <p {...look('text', `margin:0;${type.code}`)} safe>
          {code}
        </p>
      </td>
    </tr>
  </Grid>
);

const factCell = (isFirst: boolean) =>
  `padding:8px 0;vertical-align:top;${type.small}${isFirst ? '' : ';border-top:1px solid'}`;

const Facts = ({ facts, look }: { facts: readonly Fact[] } & Looks) => (
  <Grid>
    {facts.map(({ label, value }, index) => (
      <tr>
        <td {...sized('30%')} {...look(['border', 'soft'], factCell(index === 0))} safe>
          {label}
        </td>
        <td {...look(['border', 'text'], `${factCell(index === 0)};word-break:break-word`)} safe>
          {value}
        </td>
      </tr>
    ))}
  </Grid>
);

function Figure({ label, value, change, look }: Stat & Looks): Html {
  const tone = change === undefined || change.tone === 'neutral' ? 'soft' : change.tone;
  const figure = look('text', type.figure);
  return (
    <td {...sized('33%')} style="padding:8px 8px 8px 0;vertical-align:top">
      <div {...look('soft', type.caption)} safe>
        {label}
      </div>
      <div class={`${figure.class} figure`} style={figure.style} safe>
        {value}
      </div>
      {change !== undefined && (
        <div {...look(tone, type.caption)} safe>
          {change.text}
        </div>
      )}
    </td>
  );
}

/** Figures in rows of three. */
const Stats = ({ stats, look }: { stats: readonly Stat[] } & Looks) => (
  <Grid>
    {stats
      .map((_, index) => stats.slice(index, index + 3))
      .filter((_, index) => index % 3 === 0)
      .map((row) => (
        <tr>
          {row.map((stat) => (
            <Figure {...stat} look={look} />
          ))}
        </tr>
      ))}
  </Grid>
);

const columnHeight = 80;
const columnLabel = 'border-top:1px solid;padding:4px 2px 0;vertical-align:top';

function Column({ value, size, look }: Pick<Bar, 'value' | 'size'> & Looks): Html {
  const height = size === 0 ? 0 : Math.max(2, Math.round(size * columnHeight));
  return (
    <td
      align="center"
      style="padding:0 3px;vertical-align:bottom"
      {...sized(undefined, columnHeight + 20)}
    >
      <div {...look('soft', `${type.caption};padding-bottom:4px`)} safe>
        {value}
      </div>
      {height > 0 && (
        <Grid>
          <tr>
            <td
              {...sized(undefined, height)}
              {...look('bar', `height:${height}px;border-radius:3px 3px 0 0;font-size:0`)}
            >
              &nbsp;
            </td>
          </tr>
        </Grid>
      )}
    </td>
  );
}

type Bars = { title: string; bars: readonly Bar[] } & Looks;

const Columns = ({ title, bars, look }: Bars) => (
  <>
    <Heading title={title} look={look} />
    <table {...table} width="100%" style="border-collapse:separate;table-layout:fixed">
      <tr>
        {bars.map((bar) => (
          <Column {...bar} look={look} />
        ))}
      </tr>
      <tr>
        {bars.map(({ label }) => (
          <td align="center" {...look(['border', 'soft'], `${columnLabel};${type.caption}`)} safe>
            {label}
          </td>
        ))}
      </tr>
    </table>
  </>
);

const rowLabel = 'padding-top:8px;word-break:break-word;vertical-align:top';
const rowValue = 'padding:10px 0 0 12px;vertical-align:top';

/** Breaks the line between the values, not within them. */
const Values = ({ value, detail }: Pick<Bar, 'value' | 'detail'>) => (
  <>
    <span style="white-space:nowrap" safe>
      {detail === undefined ? value : `${value},`}
    </span>
    {detail !== undefined && (
      <>
        {' '}
        <span style="white-space:nowrap" safe>
          {detail}
        </span>
      </>
    )}
  </>
);

function Row({ label, value, detail, size, look }: Bar & Looks): Html {
  const width = Math.max(1, Math.round(size * 100));
  return (
    <>
      <tr>
        <td {...sized('60%')} {...look('text', `${rowLabel};${type.small}`)} safe>
          {label}
        </td>
        <td align="right" {...look('soft', `${rowValue};${type.caption}`)}>
          <Values value={value} detail={detail} />
        </td>
      </tr>
      <tr>
        <td colspan={2} style="padding:3px 0 2px">
          <Grid>
            <tr>
              <td
                {...sized(`${width}%`, 4)}
                {...look('bar', 'border-radius:2px;font-size:0;line-height:4px')}
              >
                &nbsp;
              </td>
              <td style="font-size:0;line-height:4px">&nbsp;</td>
            </tr>
          </Grid>
        </td>
      </tr>
    </>
  );
}

const Rows = ({ title, bars, look }: Bars) => (
  <>
    <Heading title={title} look={look} />
    <Grid>
      {bars.map((bar) => (
        <Row {...bar} look={look} />
      ))}
    </Grid>
  </>
);

/** A padded cell, because some email clients ignore the padding of links. */
function Button({ label, url, look }: MailLink & Looks): Html {
  const style =
    'display:inline-block;padding:10px 20px;font-weight:600;text-decoration:none;' + type.text;
  return (
    <table {...table}>
      <tr>
        <td {...look('button', 'border-radius:6px')} align="center">
          <a href={url} {...look('onButton', style)} safe>
            {label}
          </a>
        </td>
      </tr>
    </table>
  );
}

function contentOf(block: Block, look: LookOf): Html {
  switch (block.kind) {
    case 'text':
      return <Paragraphs text={block.text} look={look} />;
    case 'code':
      return <CodeBox code={block.code} look={look} />;
    case 'facts':
      return <Facts facts={block.facts} look={look} />;
    case 'stats':
      return <Stats stats={block.stats} look={look} />;
    case 'columns':
      return <Columns title={block.title} bars={block.bars} look={look} />;
    case 'rows':
      return <Rows title={block.title} bars={block.bars} look={look} />;
    case 'button':
      return <Button label={block.label} url={block.url} look={look} />;
  }
}

export const BlockRow = ({ block, look }: { block: Block } & Looks) => (
  <Section>{contentOf(block, look)}</Section>
);
