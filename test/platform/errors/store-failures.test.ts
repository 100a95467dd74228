import { describe, expect, it } from 'vitest';
import { isConnectionFailure } from '../../../src/platform/database/failure.ts';
import { toProblem } from '../../../src/platform/http/error-handler.ts';

const ofRedis = (message: string, more: object = {}) =>
  Object.assign(new Error(message), { name: 'ReplyError', ...more });
const ofPostgres = (code: string) => Object.assign(new Error('from the server'), { code });

describe('a temporarily unavailable store', () => {
  it.each([
    "READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'. script: 12ab, on @user_script:1.",
    'MISCONF Errors writing to the AOF file: No space left on device',
    'NOREPLICAS Not enough good replicas to write.',
    'LOADING Redis is loading the dataset in memory',
  ])('causes a 503 with Retry-After for the Redis error %s', (message) => {
    const transaction = ofRedis('EXECABORT Transaction discarded because of previous errors.', {
      previousErrors: [ofRedis(message)],
    });
    for (const error of [ofRedis(message), transaction]) {
      expect(toProblem(error, 'id')).toMatchObject({
        problem: { status: 503, code: 'request.unavailable' },
        headers: { 'retry-after': '5' },
      });
    }
  });

  it('is not assumed when the command itself is wrong, which is a 500', () => {
    const wrong = ofRedis('WRONGTYPE Operation against a key holding the wrong kind of value');
    for (const error of [
      wrong,
      ofRedis('EXECABORT Transaction discarded', { previousErrors: [wrong] }),
      ofPostgres('23505'),
    ]) {
      expect(toProblem(error, 'id').problem.status).toBe(500);
    }
  });

  it.each([
    ['25006', 'read-only'],
    ['53100', 'disk full'],
    ['53300', 'too many connections'],
    ['57P03', 'starting'],
    ['58030', 'its disk'],
    ['EPIPE', 'the connection broke'],
  ])('includes the PostgreSQL error %s: %s', (code) => {
    expect(isConnectionFailure(ofPostgres(code))).toBe(true);
  });

  it('excludes other PostgreSQL errors', () => {
    for (const code of ['23505', '42P01', '57014', 'XX000'])
      expect(isConnectionFailure(ofPostgres(code))).toBe(false);
  });
});
