import { redisServers, type RedisServers } from '#libs/config';
import { Cluster, Redis } from 'ioredis';

/**
 * Connects to whichever form of Redis the address names. `maxRetriesPerRequest: null` is BullMQ's demand: a command
 * waits for the connection to come back. BullMQ duplicates the connection for its blocking reads.
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
        // A check that fails in a failover leaves ioredis' `connect()` unsettled for ever, and with it BullMQ's worker, which
        // awaits it. Without the check commands are repeated while the cluster is down, and then fail.
        enableReadyCheck: false,
        // A node's certificate names the host that it was asked for by, not what that resolves to.
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
    // Reports a new master at once, also while the former one still answers.
    failoverDetector: true,
  };
}
