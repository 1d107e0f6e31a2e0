import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { connectionOf, readSettings } from './settings.js';

const REQUIRED = {
  KAFKA_BROKERS: 'one.example:9092,two.example:9092',
  KAFKA_TOPICS: 'payments',
  KAFKA_DEAD_LETTER_TOPIC: 'payments.dead-letters',
  DISPATCHER_URL: 'https://dispatcher.bank.example',
  DISPATCHER_API_KEY: 'pnd_x',
};

describe('readSettings', () => {
  it('has the settings and defaults of docs/kafka.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/kafka.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|(.*?)\|/gm)].flatMap(
      ([, names = '', presets = '']) => {
        const texts = (cell: string) => [...cell.matchAll(/`(.*?)`/g)].map(([, text]) => text ?? '');
        return texts(names).map((name, index) => [name, texts(presets)[index] ?? '']);
      },
    );
    const empty = Object.keys(REQUIRED).map((name) => [name, '']);
    expect(Object.fromEntries(rows)).toEqual({ ...readSettings(REQUIRED), ...Object.fromEntries(empty) });
  });

  it('names every missing setting at once', () => {
    const faults = Object.keys(REQUIRED).map((name) => new RegExp(`^${name} must be `, 'm'));
    for (const fault of faults) expect(() => readSettings({})).toThrow(fault);
  });

  it.each([
    [{ DISPATCHER_API_KEY_FILE: '/nowhere' }, 'DISPATCHER_API_KEY is given twice'],
    [
      { DISPATCHER_API_KEY: '', DISPATCHER_API_KEY_FILE: '/nowhere' },
      'DISPATCHER_API_KEY_FILE: Error: ENOENT',
    ],
    [{ KAFKA_SASL_MECHANISM: 'PLAIN' }, 'must be given together'],
    [{ KAFKA_SASL_MECHANISM: 'GSSAPI' }, 'must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512'],
    [
      { KAFKA_TLS_KEY_FILE: '/nowhere' },
      'KAFKA_TLS_CERTIFICATE_FILE and KAFKA_TLS_KEY_FILE must be given together',
    ],
    [{ KAFKA_TLS_CA_FILE: '/nowhere' }, 'KAFKA_TLS must be true'],
    [{ KAFKA_DEAD_LETTER_TOPIC: 'payments' }, 'must not be one of KAFKA_TOPICS'],
    [{ KAFKA_TOPICS: 'a b' }, 'KAFKA_TOPICS must be a comma list of topics'],
  ])('refuses %j', (env, fault) => {
    expect(() => readSettings({ ...REQUIRED, ...env })).toThrow(fault);
  });

  it('reads secrets and certificates from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kafka-ingest-'));
    const file = join(folder, 'secret');
    writeFileSync(file, 's3cret\n');
    const settings = readSettings({
      ...REQUIRED,
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: file,
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: 'hub',
      KAFKA_SASL_PASSWORD_FILE: file,
    });
    expect(connectionOf(settings)).toMatchObject({
      bootstrapBrokers: ['one.example:9092', 'two.example:9092'],
      tls: { ca: 's3cret\n' },
      sasl: { mechanism: 'SCRAM-SHA-512', username: 'hub', password: 's3cret' },
    });
    rmSync(folder, { recursive: true });
  });
});
