import { describe, expect, it } from '@jest/globals';
import { configSummary, readConfig, redisServers } from './index.js';

const PLAIN = { login: {}, tls: false };

describe('redisServers', () => {
  it.each([
    ['redis://cache', { kind: 'single', address: { host: 'cache', port: 6379 }, database: 0, ...PLAIN }],
    [
      'rediss://app:p%40ss@cache.example:7000/3',
      {
        kind: 'single',
        address: { host: 'cache.example', port: 7000 },
        database: 3,
        login: { username: 'app', password: 'p@ss' },
        tls: true,
      },
    ],
    [
      'redis://:pass@[::1]:6380',
      {
        kind: 'single',
        address: { host: '::1', port: 6380 },
        database: 0,
        login: { password: 'pass' },
        tls: false,
      },
    ],
    [
      'redis+sentinel://:pass@one,two:26380/main/2?sentinelUsername=watch&sentinelPassword=s%26t',
      {
        kind: 'sentinel',
        sentinels: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26380 },
        ],
        masterName: 'main',
        database: 2,
        sentinelLogin: { username: 'watch', password: 's&t' },
        login: { password: 'pass' },
        tls: false,
      },
    ],
    [
      'rediss+cluster://app:pass@one:7000,two:65535',
      {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 65535 },
        ],
        login: { username: 'app', password: 'pass' },
        tls: true,
      },
    ],
  ])('reads the Redis URL %s', (url, servers) => {
    expect(redisServers(url)).toEqual(servers);
  });

  it.each([
    ['http://cache', 'must be redis://'],
    ['redis://', 'must be redis://'],
    ['redis+ring://one', 'must be redis://'],
    ['redis://one,two', 'must name one server'],
    ['redis://one/first', 'must have a number as its database'],
    ['redis://one?family=6', 'must have no ?'],
    ['redis://one:0', 'must list its servers as host:port'],
    ['redis+cluster://one:65536', 'must list its servers as host:port'],
    ['redis+cluster://one,,two', 'must list its servers as host:port'],
    ['redis+cluster://one:7000/1', 'must name no database'],
    ['redis+sentinel://one:26379', 'must name the master'],
    ['redis+sentinel://one:26379/', 'must name the master'],
    ['redis+sentinel://one/main/0/1', 'must name the master'],
    ['redis+sentinel://one/main?password=s', 'must have only sentinelUsername and sentinelPassword'],
    ['redis://:100%@one', 'must have % in front of two hexadecimal digits'],
  ])('refuses the Redis URL %s and names the rule', (url, fault) => {
    expect(() => redisServers(url)).toThrow(fault);
  });
});

describe('REDIS_URL', () => {
  const rest = {
    DATABASE_URL: 'postgres://app@db.example/dispatcher',
    SECRETS_KEYRING: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };

  it('refuses REDIS_URL with the rule, without its value', () => {
    const read = () => readConfig('worker', { ...rest, REDIS_URL: 'redis+cluster://:s3cret@one/1' });
    expect(read).toThrow('REDIS_URL must name no database: a Cluster has only one');
    expect(read).not.toThrow('s3cret');
  });

  it.each([
    ['redis+cluster://app:s3cret@one:1,two:2', 'redis+cluster://one:1,two:2'],
    ['redis+sentinel://:s3cret@one/main?sentinelPassword=s3cret', 'redis+sentinel://one/main'],
  ])('shows REDIS_URL in the summary without secrets', (url, shown) => {
    const summary = configSummary(readConfig('worker', { ...rest, REDIS_URL: url }));
    expect(summary).toMatchObject({ queue: { url: shown } });
    expect(JSON.stringify(summary)).not.toContain('s3cret');
  });
});
