import { redisServers, type RedisServers } from '#libs/config';
import { Cluster, Redis } from 'ioredis';

/**
 * Connects to the server, Sentinels or Cluster of a `REDIS_URL`. BullMQ requires `maxRetriesPerRequest: null`: a
 * command waits until the connection is back. BullMQ duplicates the connection for its blocking reads.
 */
export function openRedis(url: string): Redis | Cluster {
  const servers = redisServers(url);
  const common = { ...servers.login, ...(servers.tls ? { tls: {} } : {}), maxRetriesPerRequest: null };
  switch (servers.kind) {
    case 'single':
      return new Redis({ ...servers.address, db: servers.database, ...common });
    case 'sentinel':
      return new Redis({ ...behindSentinels(servers), ...common });
    case 'cluster':
      return new Cluster([...servers.nodes], {
        redisOptions: common,
        // If the ready check fails in a failover, ioredis' `connect()` never settles, and BullMQ's worker waits
        // forever. Without the check, commands are repeated while the cluster is down, and then fail.
        enableReadyCheck: false,
        // A node's certificate contains the host name, not the address that the name resolves to.
        ...(servers.tls ? { dnsLookup: (address, answer) => answer(null, address) } : {}),
      });
  }
}

function behindSentinels(servers: Extract<RedisServers, { kind: 'sentinel' }>) {
  const { username, password } = servers.sentinelLogin;
  return {
    sentinels: [...servers.sentinels],
    name: servers.masterName,
    db: servers.database,
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    enableTLSForSentinelMode: servers.tls,
    ...(servers.tls ? { sentinelTLS: {} } : {}),
    // Changes to a new master at once, even while the former one still answers.
    failoverDetector: true,
  };
}
