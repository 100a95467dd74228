import { z } from 'zod';

const Initialize = z.object({
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.unknown(),
    clientInfo: z.unknown(),
  }),
});

const mostLength = 4096;

/** What a client says of itself when it begins a session, as JSON. What is too long to be kept is left out. */
export function parametersOf(body: unknown): string {
  const { protocolVersion = '', ...client } = Initialize.safeParse(body).data?.params ?? {};
  const json = JSON.stringify({ protocolVersion, ...client });
  if (json.length <= mostLength) return json;
  const nameless = { name: 'unknown', version: 'unknown' };
  return JSON.stringify({
    protocolVersion: protocolVersion.slice(0, 32),
    capabilities: {},
    clientInfo: nameless,
  });
}

const address = 'http://mcp.internal/';
const headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** Says to a transport what the client once said to another replica, so that it goes on with the session. */
export async function repeatInitialize(
  transport: {
    handleRequest: (request: Request, options: { parsedBody: unknown }) => Promise<Response>;
  },
  id: string,
  parameters: string,
): Promise<void> {
  const params: unknown = JSON.parse(parameters);
  const first = new Request(address, { method: 'POST', headers });
  const answer = await transport.handleRequest(first, {
    parsedBody: { jsonrpc: '2.0', id: 'adopted', method: 'initialize', params },
  });
  // The answer is a stream, which ends when the server has taken the parameters.
  await answer.text();
  const second = new Request(address, {
    method: 'POST',
    headers: { ...headers, 'mcp-session-id': id },
  });
  await transport.handleRequest(second, {
    parsedBody: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
}
