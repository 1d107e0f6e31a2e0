import type { Config } from './read-config.js';

/** The configuration for the log line at boot, without secrets. */
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
    brand: { ...config.brand, logo: config.brand.logo?.contentType ?? null },
    egress: config.egress,
    publicUrl: config.publicUrl,
    mail: config.mail === null ? null : { ...config.mail, smtpUrl: withoutLogin(config.mail.smtpUrl) },
    supportContact: config.supportContact,
    wireExtraStatuses: config.wireExtraStatuses,
    workerConcurrency: config.workerConcurrency,
    reconcileIntervalMs: config.reconcileIntervalMs,
    retentionDays: config.retentionDays,
    logLevel: config.logLevel,
    tracesEndpoint: config.tracesEndpoint === null ? null : withoutLogin(config.tracesEndpoint),
  };
}

/** Removes user and query, which can hold credentials. Uses a pattern: `URL` refuses several hosts with ports. */
function withoutLogin(text: string): string {
  const parts = /^(?<scheme>[a-z+]+:\/\/)(?:[^/?#]*@)?(?<rest>[^@?#]*)(?:[?#].*)?$/s.exec(text)?.groups;
  return parts === undefined ? '[set]' : `${parts['scheme'] ?? ''}${parts['rest'] ?? ''}`;
}
