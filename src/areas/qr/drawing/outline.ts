/** A grid of modules, row by row; 1 is dark. */
export interface Grid {
  size: number;
  cells: Uint8Array;
}

/** A corner of an outline, in modules. `turn` is 1 at convex corners, which may be rounded. */
interface Corner {
  x: number;
  y: number;
  turn: 1 | -1;
}

/** Steps to the right, down, to the left, up. */
const stepX = [1, 0, -1, 0];
const stepY = [0, 1, 0, -1];

/** The cells of a grid with an empty cell on each side, and which top edges were followed. */
function pad({ size, cells }: Grid) {
  const width = size + 2;
  const padded = new Uint8Array(width * width);
  for (let y = 0; y < size; y += 1)
    padded.set(cells.subarray(y * size, (y + 1) * size), (y + 1) * width + 1);
  return { size, width, cells: padded, seen: new Uint8Array(width * width) };
}

type PaddedGrid = ReturnType<typeof pad>;

/**
 * Follows an outline clockwise around dark cells, from the left end of a top edge back to it, and
 * marks the top edges that it passes. Cells that touch at a corner only are separate shapes.
 */
function follow({ width, cells, seen }: PaddedGrid, startX: number, startY: number): Corner[] {
  const corners: Corner[] = [];
  let x = startX;
  let y = startY;
  let heading = 0;
  const ahead = (side: number): boolean => {
    const across = (stepX[heading] ?? 0) + (stepX[side] ?? 0);
    const down = (stepY[heading] ?? 0) + (stepY[side] ?? 0);
    return cells[(y + (down > 0 ? 1 : 0)) * width + x + (across > 0 ? 1 : 0)] === 1;
  };
  do {
    if (heading === 0) seen[(y + 1) * width + x + 1] = 1;
    x += stepX[heading] ?? 0;
    y += stepY[heading] ?? 0;
    const right = (heading + 1) % 4;
    const left = (heading + 3) % 4;
    if (!ahead(right)) {
      heading = right;
      corners.push({ x, y, turn: 1 });
    } else if (ahead(left)) {
      heading = left;
      corners.push({ x, y, turn: -1 });
    }
  } while (x !== startX || y !== startY || heading !== 0);
  return corners;
}

/** Formats a length in modules with one decimal at most, as short as SVG allows. */
function short(length: number): string {
  const tenths = Math.round(length * 10);
  if (tenths % 10 === 0) return String(tenths / 10);
  const text = String(Math.abs(tenths) / 10);
  return (tenths < 0 ? '-' : '') + (text.startsWith('0') ? text.slice(1) : text);
}

/** Joins numbers, leaving out the space before a sign. */
const join = (...lengths: number[]): string =>
  lengths.map(short).reduce((all, each) => all + (each.startsWith('-') ? '' : ' ') + each);

/** The path of one outline whose last corner is its start. */
function pathOf(corners: readonly Corner[], offset: number, radius: number): string {
  const start = corners.at(-1);
  if (start === undefined) return '';
  const inset = ({ turn }: Corner) => (turn === 1 ? radius : 0);
  let path = `M${join(start.x + offset + inset(start), start.y + offset)}`;
  let from = start;
  corners.forEach((corner, at) => {
    const length = Math.abs(corner.x - from.x) + Math.abs(corner.y - from.y);
    const across = Math.sign(corner.x - from.x);
    const down = Math.sign(corner.y - from.y);
    const straight = (across + down) * (length - inset(from) - inset(corner));
    if (radius > 0 || at < corners.length - 1) path += (across === 0 ? 'v' : 'h') + short(straight);
    if (inset(corner) > 0) {
      const [dx, dy] = [across * radius, down * radius];
      // A convex corner turns to the right.
      path += `q${join(dx, dy, dx - dy, dy + dx)}`;
    }
    from = corner;
  });
  return `${path}z`;
}

/**
 * Returns the SVG path around the dark cells, moved by `offset` modules, as outlines without edges
 * between neighbors: those would show as hairlines. Convex corners are rounded with the `radius`
 * (modules, below 0.5).
 */
export function outlinePath(
  grid: Grid,
  { offset, radius }: { offset: number; radius: number },
): string {
  const padded = pad(grid);
  const { size, width, cells, seen } = padded;
  let path = '';
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const at = (y + 1) * width + x + 1;
      if (cells[at] === 1 && cells[at - width] === 0 && seen[at] === 0)
        path += pathOf(follow(padded, x, y), offset, radius);
    }
  return path;
}

/**
 * Returns an SVG path with a point in the middle of each dark cell, moved by `offset` modules. With
 * a wide stroke with round ends, each point is a dot.
 */
export function dotsPath({ size, cells }: Grid, { offset }: { offset: number }): string {
  let path = '';
  for (let y = 0; y < size; y += 1) {
    let last: number | undefined;
    for (let x = 0; x < size; x += 1) {
      if (cells[y * size + x] !== 1) continue;
      path +=
        last === undefined
          ? `M${join(x + offset + 0.5, y + offset + 0.5)}h0`
          : `m${short(x - last)} 0h0`;
      last = x;
    }
  }
  return path;
}
