import { create } from 'qrcode';
import { encodeQr, type QrMatrix } from '../src/areas/qr/drawing/matrix.ts';
import { drawPdf } from '../src/areas/qr/drawing/pdf.ts';
import { drawPng } from '../src/areas/qr/drawing/png.ts';
import { drawSheet, type SheetCode } from '../src/areas/qr/drawing/sheet.ts';
import { SheetOptions } from '../src/areas/qr/drawing/sheet-layout.ts';
import { moduleShapes, QrStyle } from '../src/areas/qr/drawing/style.ts';
import { drawSvg } from '../src/areas/qr/drawing/svg.ts';
import { checkDrawn } from '../src/areas/qr/reading/check.ts';
import { loadDecoders } from '../src/areas/qr/reading/decoders.ts';
import { runBenchmark } from './support/lifetime.ts';
import { median, ms, printConditions, printTable, verdict } from './support/report.ts';

/**
 * The time from a short address to each kind of image, and of the check that both decoders read it,
 * beside the time in which the package `qrcode` computes the modules alone.
 */
const text = 'https://svc.example/q/4k7mz1q9xw';
const size = 600;
const goalMs = 3;
const sheetCodes = 500;

async function timeOf(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = -Math.ceil(runs / 4); run < runs; run += 1) {
    const began = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

function matrixOf(content: string): QrMatrix {
  const encoding = encodeQr(content, 'M');
  if (!encoding.fits) throw new Error('too long');
  return encoding.matrix;
}

function* codes(): Generator<SheetCode> {
  for (let at = 0; at < sheetCodes; at += 1)
    yield {
      matrix: matrixOf(`https://svc.example/q/${at}`),
      style: QrStyle.parse({}),
      name: `Table ${at}`,
      link: `svc.example/q/${at}`,
    };
}

/** Draws a sheet, and returns the longest time for which it held the event loop. */
async function sheetTurn(): Promise<number> {
  let longest = 0;
  let isDone = false;
  let last = performance.now();
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  for await (const part of drawSheet(codes(), SheetOptions.parse({ layout: 'l7160' })))
    if (part.length === 0) throw new Error('an empty part');
  isDone = true;
  return longest;
}

await runBenchmark(async () => {
  printConditions('npm run bench -- qr-drawing');
  const readQr = await loadDecoders();
  const limit = await timeOf(300, () => create(text, { errorCorrectionLevel: 'M' }));
  const rows: string[][] = [];
  let missed = 0;
  const add = (name: string, time: number, goal?: number) => {
    if (goal !== undefined && time >= goal) missed += 1;
    rows.push([
      name,
      ms(time),
      goal === undefined ? '-' : `< ${goal} ms`,
      goal === undefined ? '-' : verdict(time < goal),
      ms(limit),
      (time / limit).toFixed(1),
    ]);
  };
  add('modules', await timeOf(300, () => encodeQr(text, 'M')));
  for (const shape of moduleShapes) {
    const style = QrStyle.parse({ shape });
    const matrix = matrixOf(text);
    const code = { matrix, style };
    add(`${shape}: SVG`, await timeOf(300, () => drawSvg(matrixOf(text), style, { size })), goalMs);
    add(`${shape}: PNG`, await timeOf(30, () => drawPng(matrix, style, { size })));
    add(`${shape}: PDF`, await timeOf(30, () => drawPdf(code, { size: 50 })));
    add(`${shape}: check`, await timeOf(30, () => checkDrawn(readQr, code)));
  }
  await sheetTurn();
  const began = performance.now();
  const turn = await sheetTurn();
  add(`sheets of ${sheetCodes} codes`, performance.now() - began);
  add('longest turn of the sheets', turn, 20);
  printTable([['measured', 'service', 'goal', 'result', 'limit', 'ratio'], ...rows]);
  console.log(
    `\nAn address of ${text.length} characters at level M, ${size} pixels; SVG with its modules. ` +
      'Limit: `create` of the package qrcode, without drawing.',
  );
  return missed;
});
