import { z } from 'zod';

const envelope = { jsonrpc: '2.0', id: 1 };

export const JsonRpcMessage = z.unknown().meta({
  description: 'A JSON-RPC 2.0 message.',
  examples: [
    {
      ...envelope,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ],
});

export const JsonRpcResponse = z.unknown().meta({
  description: 'The response, or a stream of messages that ends with it.',
  examples: [{ ...envelope, result: { resultType: 'complete', tools: [] } }],
});

const JsonRpcError = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable(),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  })
  .meta({
    id: 'JsonRpcError',
    description: 'A protocol error (JSON-RPC 2.0 §5.1).',
    examples: [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } }],
  });

/** The errors that are JSON-RPC responses. All others are problems (RFC 9457). */
export const protocolErrors: Record<number, object> = Object.fromEntries(
  Object.entries({
    400: 'The message is not part of the protocol, or its revision is not supported.',
    404: 'The session or method does not exist.',
    405: 'A stream requires a session.',
    406: 'The client must accept `application/json` and `text/event-stream`.',
    415: 'Messages must be sent as `application/json`.',
  }).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: JsonRpcError } } },
  ]),
);

export const ProtectedResourceMetadata = z
  .object({
    resource: z.string().meta({ examples: ['https://platform.example/api/mcp'] }),
    resource_name: z.string().meta({ examples: ['Platform Service'] }),
    scopes_supported: z.array(z.string()).meta({ examples: [['read', 'write']] }),
    bearer_methods_supported: z.array(z.string()).meta({ examples: [['header']] }),
    resource_documentation: z
      .string()
      .meta({ examples: ['https://platform.example/developer/guides/mcp'] }),
  })
  .meta({
    id: 'ProtectedResourceMetadata',
    description: 'OAuth 2.0 protected resource metadata (RFC 9728).',
  });
