import type { FastifyRequest } from 'fastify';

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Headers that proxies, tunnels and content delivery networks add. A local client sends none of
 * them.
 */
const forwardingHeaders: readonly RegExp[] = [
  // Standards: RFC 7239, RFC 9110 §7.6.3, RFC 8586, W3C Edge Architecture.
  /^forwarded/,
  /^via$/,
  /^cdn-loop$/,
  /^surrogate-capability$/,
  // The original client, host or scheme, as proxies name it.
  /^x-forwarded/,
  /^x-original-/,
  /^x-(?:real|client|cluster-client|remote|proxyuser|appengine-user)-?(?:ip|addr|port|host)/,
  /^(?:true|proxy|wl-proxy)?-?client-ip$/,
  /^x-(?:proxy|scheme|url-scheme|ssl|host|rewrite-url|request-start)/,
  /^x-(?:varnish|haproxy|envoy|arr|azure|sendfile)/,
  /^front-end-https$/,
  // Cloudflare, Fly.io, Fastly, AWS, Akamai, Google, Vercel, Netlify, Render, Railway, Tailscale.
  /^cf-/,
  /^fly-/,
  /^fastly-/,
  /^cloudfront-/,
  /^x-amz/,
  /^(?:x-)?akamai-/,
  /^x-(?:cloud-trace|appengine|google|gfe)/,
  /^x-(?:vercel|nf|railway)-/,
  /^rndr-/,
  /^tailscale-/,
];

/** True for a `Host` header with a loopback host. */
export const isLoopbackHost = (host: string | undefined): boolean => loopbackHost.test(host ?? '');

/** True when a header shows that a proxy has forwarded the request. */
function isForwarded(headers: FastifyRequest['headers']): boolean {
  return Object.keys(headers).some((name) => forwardingHeaders.some((form) => form.test(name)));
}

/**
 * True for a request from this machine without a proxy. The peer address is required, and headers
 * can only disqualify: behind a local proxy or tunnel, every request comes from 127.0.0.1. HTTP/1.0
 * and absolute URLs in the request line come from simple proxies, not from browsers or curl.
 */
export function isLocalRequest({ socket, headers, raw }: FastifyRequest): boolean {
  const isDirect =
    raw.httpVersion !== '1.0' && raw.url?.startsWith('/') === true && !isForwarded(headers);
  return isDirect && loopback.test(socket.remoteAddress ?? '') && isLoopbackHost(headers.host);
}
