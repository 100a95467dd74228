import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  deviceStates,
  type Transition,
  transitions,
} from '../../../../src/areas/identity/devices/states.ts';

interface Rectangle {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const svg = readFileSync('docs/guides/device-states.svg', 'utf8');
const table: [string, Transition][] = Object.entries(transitions);

/** Returns the elements with this name, with their attributes and content. */
function elements(name: string): Partial<Record<string, string>>[] {
  const found = svg.matchAll(
    new RegExp(`<${name}((?: [a-zA-Z-]+="[^"]*")*)(?:/>|>(.*?)</${name}>)`, 'gs'),
  );
  return [...found].map(([, attributes = '', content = '']) => {
    const pairs = [...attributes.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [key, value] as const,
    );
    return { ...Object.fromEntries(pairs), content };
  });
}

const numbers = (text = '') => [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);

function points(path = ''): [number, number][] {
  const all = numbers(path);
  return all.flatMap((x, index) =>
    index % 2 === 0 ? [[x, all[index + 1] ?? Number.NaN] as [number, number]] : [],
  );
}

const boxes = elements('rect')
  .filter((rect) => rect['data-state'] !== undefined)
  .map((rect): Rectangle => {
    const [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return {
      name: rect['data-state'] ?? '',
      left: x,
      right: x + width,
      top: y,
      bottom: y + height,
    };
  });

const arrows = elements('path').filter((path) => path['data-from'] !== undefined);

// Characters are 7.2 px wide and 14 px high.
const labels = elements('text')
  .filter((text) => text['data-from'] !== undefined)
  .flatMap((text) =>
    [...(text.content ?? '').matchAll(/<tspan x="([\d.]+)" y="([\d.]+)">([^<]*)<\/tspan>/g)].map(
      ([, x = '', y = '', line = '']): Rectangle => {
        const width = line.length * 7.2;
        const left =
          Number(x) -
          (text['text-anchor'] === 'start'
            ? 0
            : text['text-anchor'] === 'middle'
              ? width / 2
              : width);
        return {
          name: line,
          left,
          right: left + width,
          top: Number(y) - 12,
          bottom: Number(y) + 4,
        };
      },
    ),
  );

const overlap = (a: Rectangle, b: Rectangle) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const segments = arrows.flatMap((arrow) =>
  points(arrow.d)
    .slice(1)
    .map(([x, y], index): Rectangle => {
      const [beforeX, beforeY] = points(arrow.d)[index]!;
      return {
        name: `${arrow['data-from']} to ${arrow['data-to']}`,
        left: Math.min(x, beforeX),
        right: Math.max(x, beforeX),
        top: Math.min(y, beforeY),
        bottom: Math.max(y, beforeY),
      };
    }),
);

function isOnEdge([x, y]: [number, number], box: Rectangle): boolean {
  const acrossIn = x >= box.left && x <= box.right;
  const downIn = y >= box.top && y <= box.bottom;
  return (
    acrossIn && downIn && (x === box.left || x === box.right || y === box.top || y === box.bottom)
  );
}

describe('the state diagram', () => {
  test('is well-formed XML', () => {
    const open: string[] = [];
    const rest = svg.replace(
      /<(\/?)([a-zA-Z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>/g,
      (_, end: string, name: string, _attributes, single: string) => {
        if (end === '/') expect(open.pop()).toBe(name);
        else if (single === '') open.push(name);
        return '';
      },
    );
    expect(open).toEqual([]);
    expect(rest).not.toMatch(/[<>]/);
    expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('draws every state once', () => {
    expect(boxes.map(({ name }) => name).sort()).toEqual([...deviceStates].sort());
    expect(
      elements('text')
        .filter((text) => text.class === 'name')
        .map(({ content }) => content)
        .sort(),
    ).toEqual([...deviceStates].sort());
  });

  test('has an arrow for every transition from every state, and no others', () => {
    const drawn = arrows.flatMap((arrow) =>
      arrow['data-transitions']!.split(' ').map(
        (name) => `${name}: ${arrow['data-from']} to ${arrow['data-to']}`,
      ),
    );
    const meant = table.flatMap(([name, { from, to }]) =>
      from.map((state) => `${name}: ${state} to ${to}`),
    );
    expect(drawn.sort()).toEqual(meant.sort());
  });

  test('draws one arrow between two states, from edge to edge', () => {
    const pairs = arrows.map((arrow) => `${arrow['data-from']} ${arrow['data-to']}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    for (const arrow of arrows) {
      const box = (name = '') => boxes.find((one) => one.name === name)!;
      const way = points(arrow.d);
      expect(isOnEdge(way[0]!, box(arrow['data-from'])), arrow.d).toBe(true);
      expect(isOnEdge(way.at(-1)!, box(arrow['data-to'])), arrow.d).toBe(true);
      expect(svg).toContain(`<marker id="${/#([a-z-]+)/.exec(arrow['marker-end'] ?? '')?.[1]}"`);
    }
  });

  test('labels the arrows with the cause of each transition', () => {
    const written = elements('text').map(({ content = '' }) =>
      content.replaceAll(/<\/tspan><tspan [^>]*>/g, ' ').replaceAll(/<[^>]*>/g, ''),
    );
    for (const [name, { when }] of table)
      expect(
        written.some((text) => text.includes(when)),
        name,
      ).toBe(true);
  });

  test('has the same content as text for screen readers', () => {
    const [description] = elements('desc');
    expect(svg).toMatch(/role="img" aria-labelledby="states-title states-desc"/);
    expect(elements('title')[0]?.content).not.toBe('');
    for (const [name, { from, to, by, when }] of table) {
      const sentence =
        description?.content?.split(/(?<=\.) /).find((text) => text.startsWith(`${name}: `)) ?? '';
      for (const word of [...from, to, ...by, when]) expect(sentence).toContain(word);
    }
  });

  test('keeps labels apart from each other, boxes and arrows, and inside the picture', () => {
    expect(labels.length).toBeGreaterThanOrEqual(table.length);
    for (const [index, label] of labels.entries()) {
      for (const other of [...labels.slice(index + 1), ...boxes, ...segments])
        expect(overlap(label, other), `${label.name} and ${other.name}`).toBe(false);
      expect(label.left).toBeGreaterThanOrEqual(0);
      expect(label.right).toBeLessThanOrEqual(720);
    }
  });

  test('has no overlapping boxes, and no arrow crosses a box', () => {
    for (const [index, box] of boxes.entries()) {
      for (const other of [...boxes.slice(index + 1), ...segments])
        expect(overlap(box, other), `${box.name} and ${other.name}`).toBe(false);
    }
  });

  test('is readable at 720 px, in light and dark', () => {
    expect(svg).toMatch(/viewBox="0 0 720 \d+"/);
    const sizes = [...svg.matchAll(/(\d+)px/g)].map(([, size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(13);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });
});
