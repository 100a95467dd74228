import { type Attributes, escapeHtml, type Html, trusted } from '../../lib/text/html.ts';
import { texts } from './texts/en.ts';
import { type DeviceState, deviceStates, type Transition, transitions } from './states.ts';
import { formatList } from '../../platform/i18n/lists.ts';

type Point = readonly [x: number, y: number];

/** Centre of the box of each state, in px. */
export type Positions = Readonly<Record<string, Point>>;

interface Connector {
  /** From the edge of one box to the edge of the other. */
  points: readonly Point[];
  /**
   * Anchor of the first line of text, and the number of characters that fit. Undefined where
   * several connectors run together.
   */
  label?: { at: Point; anchor: 'start' | 'middle' | 'end'; width: number };
}

interface Arrow {
  from: DeviceState;
  to: DeviceState;
  names: string[];
  labels: string[];
}

const width = 720;
const height = 650;
const box = { width: 120, height: 60 };
const lineHeight = 18;
const corner = 10;

const defaultPositions: Positions = {
  unknown: [360, 45],
  pending: [140, 205],
  cleared: [580, 205],
  expired: [360, 365],
  denied: [140, 500],
  suspended: [580, 500],
  revoked: [360, 600],
};

const connectors: Readonly<Record<string, Connector>> = {
  'unknown pending': {
    points: [
      [300, 45],
      [140, 45],
      [140, 175],
    ],
    label: { at: [152, 68], anchor: 'start', width: 20 },
  },
  'unknown cleared': {
    points: [
      [420, 45],
      [580, 45],
      [580, 175],
    ],
    label: { at: [568, 68], anchor: 'end', width: 16 },
  },
  'expired pending': {
    points: [
      [360, 335],
      [360, 220],
      [200, 220],
    ],
    label: { at: [348, 243], anchor: 'end', width: 20 },
  },
  'pending cleared': {
    points: [
      [200, 190],
      [520, 190],
    ],
    label: { at: [360, 162], anchor: 'middle', width: 30 },
  },
  'pending denied': {
    points: [
      [110, 235],
      [110, 470],
    ],
    label: { at: [120, 420], anchor: 'start', width: 14 },
  },
  'pending expired': {
    points: [
      [165, 235],
      [165, 365],
      [300, 365],
    ],
    label: { at: [175, 338], anchor: 'start', width: 15 },
  },
  'cleared expired': {
    points: [
      [555, 235],
      [555, 365],
      [420, 365],
    ],
    label: { at: [545, 338], anchor: 'end', width: 16 },
  },
  'suspended cleared': {
    points: [
      [580, 470],
      [580, 235],
    ],
    label: { at: [570, 420], anchor: 'end', width: 15 },
  },
  'cleared suspended': {
    points: [
      [606, 235],
      [606, 470],
    ],
    label: { at: [615, 420], anchor: 'start', width: 12 },
  },
  'expired revoked': {
    points: [
      [360, 395],
      [360, 570],
    ],
    label: { at: [370, 552], anchor: 'start', width: 20 },
  },
  'pending revoked': {
    points: [
      [80, 205],
      [30, 205],
      [30, 600],
      [300, 600],
    ],
  },
  'denied revoked': {
    points: [
      [140, 530],
      [140, 600],
      [300, 600],
    ],
  },
  'cleared revoked': {
    points: [
      [640, 205],
      [708, 205],
      [708, 600],
      [420, 600],
    ],
  },
  'suspended revoked': {
    points: [
      [580, 530],
      [580, 600],
      [420, 600],
    ],
  },
};

function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined) throw new Error(`The diagram has no place for "${name}"`);
  return value;
}

/** One arrow for each pair of states, with all transitions between them. */
function toArrows(table: Readonly<Record<string, Transition>>): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const [name, { from: sources, to, when }] of Object.entries(table)) {
    for (const from of sources) {
      const arrow = arrows.get(`${from} ${to}`) ?? { from, to, names: [], labels: [] };
      arrows.set(`${from} ${to}`, {
        ...arrow,
        names: [...arrow.names, name],
        labels: [...arrow.labels, when],
      });
    }
  }
  return [...arrows.values()];
}

function wrapText(text: string, maxLength: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    lines.splice(
      longer.length <= maxLength ? -1 : lines.length,
      1,
      longer.length <= maxLength ? longer : word,
    );
  }
  return lines;
}

/** The point between a corner and `end` where the rounded bend ends. */
function bendEnd([x, y]: Point, [endX, endY]: Point): Point {
  const share = Math.min(0.5, corner / Math.hypot(endX - x, endY - y));
  return [x + (endX - x) * share, y + (endY - y) * share];
}

function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${point.join(' ')}`;
      if (after === undefined) return `L${point.join(' ')}`;
      const [begin, end] = [bendEnd(point, before), bendEnd(point, after)];
      return `L${begin.join(' ')} Q${point.join(' ')} ${end.join(' ')}`;
    })
    .join(' ');
}

const kind = (to: DeviceState) => (to === 'revoked' ? 'revoked' : 'usual');

function head(name: string): Html {
  const place = { viewBox: '0 0 10 10', refX: '9', refY: '5' };
  const size = { markerWidth: '9', markerHeight: '9', markerUnits: 'userSpaceOnUse' };
  return (
    <marker id={`head-${name}`} {...place} {...size} orient="auto">
      <path class={`head ${name}`} d="M0 0 L10 5 L0 10 Z" />
    </marker>
  );
}

const dataOf = ({ from, to }: Arrow): Attributes => ({ 'data-from': from, 'data-to': to });

function drawArrow(arrow: Arrow): Html {
  const { from, to, names } = arrow;
  const data = { ...dataOf(arrow), 'data-transitions': names.join(' ') };
  const path = pathOf(lookUp(connectors, `${from} ${to}`).points);
  return (
    <path class={`arrow ${kind(to)}`} {...data} d={path} marker-end={`url(#head-${kind(to)})`} />
  );
}

function drawLabel(arrow: Arrow): Html[] {
  const { from, to, labels } = arrow;
  const { label } = lookUp(connectors, `${from} ${to}`);
  if (label === undefined) return [];
  const lines = labels.flatMap((text) => wrapText(text, label.width));
  const [x, y] = label.at;
  const spans = lines.map((line, index) => (
    <tspan x={x} y={y + index * lineHeight} safe>
      {line}
    </tspan>
  ));
  return [
    <text class={`label ${kind(to)}`} text-anchor={label.anchor} {...dataOf(arrow)}>
      {spans}
    </text>,
  ];
}

function drawState(state: DeviceState, [x, y]: Point): Html {
  const { width, height } = box;
  const corner = { x: x - width / 2, y: y - height / 2 };
  const size = { width: width, height: height };
  return (
    <>
      <rect class={`box ${state}`} data-state={state} {...corner} {...size} rx="10" />
      <text class="name" x={x} y={y + 5} safe>
        {state}
      </text>
    </>
  );
}

function describeTransition([name, { from, to, by, when }]: [string, Transition]): string {
  const ends = { from: formatList(from, { or: true }), to, by: formatList(by, { or: true }) };
  return texts.diagram.transition({ name, when, ...ends });
}

/**
 * Draws the states of a device and all transitions as an SVG document, 720 px wide, in `style`, the
 * text of diagram.css. `<desc>` holds the same in words. Throws when a state or an arrow has
 * no position in the drawing.
 */
export function stateDiagram(style: string, positions: Positions = defaultPositions): string {
  const arrows = toArrows(transitions);
  const states = deviceStates.map((state) => drawState(state, lookUp(positions, state)));
  const sentences = Object.entries(transitions).map(describeTransition).join(' ');
  const size = { viewBox: `0 0 ${width} ${height}`, width: width, height: height };
  const role = { role: 'img', 'aria-labelledby': 'states-title states-desc' };
  return (
    <svg xmlns="http://www.w3.org/2000/svg" class="states" {...size} {...role}>
      <title id="states-title" safe>
        {texts.diagram.title}
      </title>
      <desc id="states-desc">
        {escapeHtml(sentences)} {escapeHtml(texts.diagram.rest)}
      </desc>
      <style>{trusted(style)}</style>
      <defs>{['usual', 'revoked'].map(head)}</defs>
      <rect class="ground" width={width} height={height} />
      {arrows.map(drawArrow)}
      {states}
      {arrows.flatMap(drawLabel)}
    </svg>
  );
}
