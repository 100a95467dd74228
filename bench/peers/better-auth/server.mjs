// Better Auth on node:http with PostgreSQL, and Redis as secondary storage, set up as in its
// documentation. Codes are "sent" into a Map, which GET /code?to= reads. Rate limits and telemetry
// are off. Prints its port, and exits when stdin ends.
import http from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { emailOTP } from 'better-auth/plugins';
import { Redis } from 'ioredis';
import pg from 'pg';

const { DATABASE_URL, REDIS_URL, PORT } = process.env;
const base = `http://127.0.0.1:${PORT}`;
const redis = new Redis(REDIS_URL);
redis.defineCommand('count', {
  numberOfKeys: 1,
  lua:
    "local n=redis.call('INCR',KEYS[1]) if n==1 then " +
    "redis.call('EXPIRE',KEYS[1],ARGV[1]) end return n",
});
const codes = new Map();

const auth = betterAuth({
  baseURL: base,
  secret: 'a-secret-for-measuring-only-0123456789',
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  secondaryStorage: {
    get: (key) => redis.get(key),
    getAndDelete: (key) => redis.getdel(key),
    increment: (key, ttl) => redis.count(key, ttl),
    set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
    delete: async (key) => void (await redis.del(key)),
  },
  trustedOrigins: [base],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  plugins: [
    emailOTP({ sendVerificationOTP: async ({ email, otp }) => void codes.set(email, otp) }),
  ],
});

await (await getMigrations(auth.options)).runMigrations();
const handle = toNodeHandler(auth);

http
  .createServer((request, response) => {
    const url = new URL(request.url, base);
    if (url.pathname !== '/code') return handle(request, response);
    const to = url.searchParams.get('to');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code: codes.get(to) ?? null }));
    codes.delete(to);
  })
  .listen(Number(PORT), '127.0.0.1', () => console.log(JSON.stringify({ port: Number(PORT) })));
process.stdin.on('end', () => process.exit(0)).resume();
