import { z } from 'zod';

const Initialize = z.object({
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.unknown(),
    clientInfo: z.unknown(),
  }),
});

const maxLength = 4096;

/** The parameters of an `initialize` request as JSON, shortened if too long to store. */
export function initializeParams(message: unknown): string {
  const { protocolVersion = '', ...client } = Initialize.safeParse(message).data?.params ?? {};
  const json = JSON.stringify({ protocolVersion, ...client });
  if (json.length <= maxLength) return json;
  return JSON.stringify({
    protocolVersion: protocolVersion.slice(0, 32),
    capabilities: {},
    clientInfo: { name: 'unknown', version: 'unknown' },
  });
}

interface Transport {
  handleRequest: (request: Request, options: { parsedBody: unknown }) => Promise<Response>;
}

const headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** Replays `initialize` to a transport, so that it knows a session of another replica. */
export async function replayInitialize(
  transport: Transport,
  sessionId: string,
  paramsJson: string,
): Promise<void> {
  const send = (message: object, more: Record<string, string> = {}) =>
    transport.handleRequest(
      new Request('http://mcp.internal/', { method: 'POST', headers: { ...headers, ...more } }),
      { parsedBody: { jsonrpc: '2.0', ...message } },
    );
  const params: unknown = JSON.parse(paramsJson);
  const response = await send({ id: 'adopted', method: 'initialize', params });
  // The response is a stream that ends once the server has stored the parameters.
  await response.text();
  await send({ method: 'notifications/initialized' }, { 'mcp-session-id': sessionId });
}
