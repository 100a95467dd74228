import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import type { Load } from './support/load.ts';
import { cpuSeconds, startProgram } from './support/processes.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { startService } from './support/service.ts';
import { runWrk, type WrkResult } from './support/wrk.ts';

/**
 * Tool calls per second, compared with the bare official SDK and one tool. `--quick` for one short
 * run.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const runs = options.quick ? 1 : 3;
const [warmUpSeconds, runSeconds] = options.quick ? [2, 3] : [6, 8];
const goal = 2500;

const modernHeaders = (name: string) => ({
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': name,
});
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

interface Target {
  base: string;
  pid: number;
  load: Load;
}

function call(
  name: string,
  path: string,
  tool: string,
  args: object,
  more: Record<string, string> = {},
): Load {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: args, _meta: meta },
  });
  return {
    name,
    method: 'POST',
    path,
    body,
    headers: { ...modernHeaders(tool), ...more },
    connections: 64,
    eventsPerRequest: 1,
  };
}

/** A call in an earlier revision of the protocol, without a session. */
function oldCall(
  name: string,
  path: string,
  tool: string,
  args: object,
  more: Record<string, string> = {},
): Load {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: args },
  });
  return {
    name,
    method: 'POST',
    path,
    body,
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
      ...more,
    },
    connections: 64,
    eventsPerRequest: 1,
  };
}

/** Throws unless the target answers with a result. */
async function check({ base, load }: Target): Promise<void> {
  const response = await fetch(base + load.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...load.headers },
    body: load.body ?? '',
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('"structuredContent"'))
    throw new Error(`${load.name}: ${response.status} ${text}`);
}

interface Run extends WrkResult {
  /** CPU time per call in microseconds: other programs on the machine affect it less. */
  cpu: number;
}

async function measure(targets: readonly Target[], folder: string): Promise<Run[][]> {
  const measured = targets.map((): Run[] => []);
  for (const target of targets) {
    await check(target);
    await runWrk(target.load, target.base, warmUpSeconds, folder);
  }
  for (let run = 0; run < runs; run += 1) {
    for (const [index, { base, load, pid }] of targets.entries()) {
      const before = cpuSeconds(pid);
      const result = await runWrk(load, base, runSeconds, folder);
      if (result.refused > 0)
        throw new Error(`${load.name}: ${result.refused} requests were refused`);
      measured[index]?.push({
        ...result,
        cpu: ((cpuSeconds(pid) - before) * 1e6) / result.answered,
      });
    }
  }
  return measured;
}

async function start(lifetime: Lifetime): Promise<Target[]> {
  const service = await startService(lifetime, lifetime.folder());
  const { pid, message } = await startProgram(lifetime, 'bare-mcp');
  const { port } = z.object({ port: z.number() }).parse(message);
  const [bare, key] = [
    { base: `http://127.0.0.1:${port}`, pid },
    { Authorization: `Bearer ${service.adminKey}` },
  ];
  return [
    { ...service, load: call('get_status', '/api/v2/mcp', 'get_status', {}, key) },
    { ...service, load: call('lookup_ip', '/api/v2/mcp', 'lookup_ip', { ip: '1.1.1.1' }, key) },
    {
      ...service,
      load: oldCall('lookup_ip, 2025-11-25', '/api/v2/mcp', 'lookup_ip', { ip: '1.1.1.1' }, key),
    },
    { ...bare, load: call('bare', '/new', 'echo', { text: 'hello' }) },
    { ...bare, load: oldCall('bare, SDK 1', '/old', 'echo', { text: 'hello' }) },
  ];
}

await runBenchmark(async (lifetime) => {
  const targets = await start(lifetime);
  printConditions(`npm run bench -- mcp${options.quick ? ' --quick' : ''}`);
  const measured = await measure(targets, lifetime.folder());
  const rates = measured.map((list) => median(list.map(({ perSecond }) => perSecond)));
  const [bareRate = 0] = [rates[3]];
  const rows = [
    ['tools/call', 'per second', 'of bare SDK 2', 'CPU per call', 'p50', 'p99', 'goal', 'result'],
  ];
  for (const [index, { load }] of targets.entries()) {
    const [rate, of] = [
      rates[index] ?? 0,
      (pick: 'p50' | 'p99' | 'cpu') => median((measured[index] ?? []).map((run) => run[pick])),
    ];
    const hasGoal = index < 2;
    rows.push([
      load.name,
      `${whole(rate)}/s`,
      (rate / bareRate).toFixed(2),
      `${whole(of('cpu'))} µs`,
      ms(of('p50')),
      ms(of('p99')),
      hasGoal ? `≥ ${whole(goal)}` : '-',
      hasGoal ? verdict(rate >= goal) : '-',
    ]);
  }
  printTable(rows);
  return rows.filter((row) => row.at(-1) === verdict(false)).length;
});
