import type { Config } from './read-config.js';

/** What is logged at boot: everything an operator may need to see, and no secret. */
export function configSummary(config: Config): Record<string, unknown> {
  return {
    kind: config.kind,
    http: config.http,
    rates: config.rates,
    database: { url: withoutLogin(config.database.url), poolSize: config.database.poolSize },
    queue: { ...config.queue, url: withoutLogin(config.queue.url) },
    adminApiKey: config.adminApiKey === null ? 'not set' : '[set]',
    keyring: config.keyring
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry) => entry.split(':', 1)[0]),
    openId:
      config.openId === null
        ? null
        : { ...config.openId, clientSecret: '[set]', roleMap: Object.fromEntries(config.openId.roleMap) },
    environment: config.environment,
    egress: config.egress,
    wireExtraStatuses: config.wireExtraStatuses,
    workerConcurrency: config.workerConcurrency,
    reconcileIntervalMs: config.reconcileIntervalMs,
    retentionDays: config.retentionDays,
    logLevel: config.logLevel,
    tracesEndpoint: config.tracesEndpoint === null ? null : withoutLogin(config.tracesEndpoint),
  };
}

/** Connection strings hide credentials in two places: the user part and the query. Several hosts are no URL of the standard's. */
function withoutLogin(text: string): string {
  const parts = /^(?<scheme>[a-z+]+:\/\/)(?:[^/?#]*@)?(?<rest>[^@?#]*)(?:[?#].*)?$/s.exec(text)?.groups;
  return parts === undefined ? '[set]' : `${parts['scheme'] ?? ''}${parts['rest'] ?? ''}`;
}
