import { readFileSync } from 'node:fs';

/** The settings by the names of their environment variables; an optional one can be empty. */
export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads every environment variable of this process. Unset and empty are the same. A secret can be in a file instead,
 * which `<NAME>_FILE` names. docs/kafka.md has the same names and defaults; a test compares the two.
 * @throws Error with a line for each fault, without values
 */
export function readSettings(env: NodeJS.ProcessEnv) {
  const faults: string[] = [];
  /** Without a preset it is required; with an empty one it is optional. */
  const read = (name: string, rule: RegExp, must: string, preset?: string): string => {
    const value = env[name] || preset;
    if (value === undefined || (value !== '' && !rule.test(value))) faults.push(`${name} must be ${must}`);
    return value ?? '';
  };
  const readSecret = (name: string, rule: RegExp, must: string, preset?: string): string => {
    const file = env[`${name}_FILE`];
    if (!file) return read(name, rule, must, preset);
    if (env[name]) faults.push(`${name} is given twice: remove ${name} or ${name}_FILE`);
    try {
      const secret = readFileSync(file, 'utf8').replace(/(\r?\n)+$/, '');
      if (!rule.test(secret)) faults.push(`${name}, in the file ${file}, must be ${must}`);
      return secret;
    } catch (error) {
      faults.push(`${name}_FILE: ${String(error)}; mount the secret there, or correct the path`);
      return '';
    }
  };
  const PEM = [/^\S/, 'the path of a PEM file', ''] as const;

  const settings = {
    KAFKA_BROKERS: read('KAFKA_BROKERS', /^[\w.-]+:\d{1,5}(,[\w.-]+:\d{1,5})*$/, 'a comma list of host:port'),
    KAFKA_TOPICS: read('KAFKA_TOPICS', /^[\w.-]{1,249}(,[\w.-]{1,249})*$/, 'a comma list of topics'),
    KAFKA_DEAD_LETTER_TOPIC: read('KAFKA_DEAD_LETTER_TOPIC', /^[\w.-]{1,249}$/, 'the name of a topic'),
    KAFKA_GROUP_ID: read(
      'KAFKA_GROUP_ID',
      /^\S{1,255}$/,
      'the name of a consumer group',
      'dispatcher-ingest',
    ),
    KAFKA_TLS: read('KAFKA_TLS', /^(true|false)$/, 'true or false', 'false'),
    KAFKA_TLS_CA_FILE: read('KAFKA_TLS_CA_FILE', ...PEM),
    KAFKA_TLS_CERTIFICATE_FILE: read('KAFKA_TLS_CERTIFICATE_FILE', ...PEM),
    KAFKA_TLS_KEY_FILE: read('KAFKA_TLS_KEY_FILE', ...PEM),
    KAFKA_SASL_MECHANISM: read('KAFKA_SASL_MECHANISM', /./, `one of ${MECHANISMS.join(', ')}`, ''),
    KAFKA_SASL_USERNAME: read('KAFKA_SASL_USERNAME', /./, 'the user of the brokers', ''),
    KAFKA_SASL_PASSWORD: readSecret('KAFKA_SASL_PASSWORD', /./, 'the user’s password', ''),
    DISPATCHER_URL: read('DISPATCHER_URL', /^https?:\/\/[^\s/?#]+\/?$/, 'http(s)://host, without a path'),
    DISPATCHER_API_KEY: readSecret('DISPATCHER_API_KEY', /^[!-~]+$/, 'an API key with the role producer'),
    HOST: read('HOST', /^[\w.:-]+$/, 'an address or a host name', '127.0.0.1'),
    PORT: read('PORT', /^\d{1,5}$/, 'a port number', '3000'),
    LOG_LEVEL: read('LOG_LEVEL', /^(debug|info|warn|error)$/, 'debug, info, warn or error', 'info'),
  };

  const sasl = [settings.KAFKA_SASL_MECHANISM, settings.KAFKA_SASL_USERNAME, settings.KAFKA_SASL_PASSWORD];
  if (sasl.some((text) => text !== '') && sasl.some((text) => text === ''))
    faults.push('KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD must be given together');
  if (settings.KAFKA_SASL_MECHANISM !== '' && mechanismOf(settings) === undefined)
    faults.push(`KAFKA_SASL_MECHANISM must be one of ${MECHANISMS.join(', ')}`);
  if (settings.KAFKA_TLS !== 'true' && settings.KAFKA_TLS_CA_FILE + settings.KAFKA_TLS_KEY_FILE !== '')
    faults.push('KAFKA_TLS must be true when KAFKA_TLS_… names a file');
  if ((settings.KAFKA_TLS_CERTIFICATE_FILE === '') !== (settings.KAFKA_TLS_KEY_FILE === ''))
    faults.push('KAFKA_TLS_CERTIFICATE_FILE and KAFKA_TLS_KEY_FILE must be given together');
  const topics = settings.KAFKA_TOPICS.split(',');
  if (settings.KAFKA_TOPICS !== '' && topics.includes(settings.KAFKA_DEAD_LETTER_TOPIC))
    faults.push('KAFKA_DEAD_LETTER_TOPIC must not be one of KAFKA_TOPICS: its records would be read again');
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return settings;
}

const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
const mechanismOf = ({ KAFKA_SASL_MECHANISM }: { readonly KAFKA_SASL_MECHANISM: string }) =>
  MECHANISMS.find((mechanism) => mechanism === KAFKA_SASL_MECHANISM);

/** The client library's options of a connection. @throws when a PEM file cannot be read */
export function connectionOf(settings: Settings) {
  const pem = (file: string): string | undefined => (file === '' ? undefined : readFileSync(file, 'utf8'));
  const ca = pem(settings.KAFKA_TLS_CA_FILE);
  const cert = pem(settings.KAFKA_TLS_CERTIFICATE_FILE);
  const key = pem(settings.KAFKA_TLS_KEY_FILE);
  const mechanism = mechanismOf(settings);
  return {
    clientId: 'payment-notification-dispatcher-kafka-ingest',
    bootstrapBrokers: settings.KAFKA_BROKERS.split(','),
    ...(settings.KAFKA_TLS === 'true' && { tls: { ...(ca && { ca }), ...(cert && { cert, key }) } }),
    ...(mechanism && {
      sasl: { mechanism, username: settings.KAFKA_SASL_USERNAME, password: settings.KAFKA_SASL_PASSWORD },
    }),
  };
}
