import { configureHttp, ApiModule, httpAdapter } from '../../api/src/api.module.js';
import { WorkerModule } from '../../worker/src/worker.module.js';
import { ConfigModule, configSummary, dataDirectory, readConfig } from '#libs/config';
import { awaitPostgres, migrateToLatest } from '#libs/database';
import {
  createLogger,
  NestLogger,
  ObservabilityModule,
  startTracing,
  type Logger,
} from '#libs/observability';
import { prepareQueueBackend, JobQueueModule } from '#libs/queue';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import { lockDataDir } from './data-dir-lock.js';
import { freePort } from './free-port.js';
import { dataFolder, secretsOf } from './installation.js';
import { postgresAccount, type Account } from './postgres/account.js';
import { makeCluster, RunningCluster } from './postgres/cluster.js';
import { findPrograms } from './postgres/programs.js';

export interface Standalone {
  readonly url: string;
  readonly adminApiKey: string;
  /** This start created the key, so it has to be shown now. */
  readonly isNewKey: boolean;
  readonly folder: string;
  /** With the password. */
  readonly databaseUrl: string;
  readonly queueBackend: string;
  readonly logger: Logger;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Placeholder for the URL of the PostgreSQL that is not started yet. */
const NO_DATABASE = 'postgres://none';

/**
 * Starts the api and a worker in one process. Without DATABASE_URL it starts its own PostgreSQL. Secrets that the
 * environment does not contain are created once and kept in the data folder.
 * @throws ConfigurationError listing every fault of the environment; DataDirInUseError when another process runs its own
 *   PostgreSQL in the same folder
 */
export async function startStandalone(env: Environment): Promise<Standalone> {
  const startsPostgres = !env['DATABASE_URL'] && !env['DATABASE_URL_FILE'];
  const account = startsPostgres ? postgresAccount() : undefined;
  const folder = dataFolder(dataDirectory(env), account);
  // Several processes may share the secrets of a folder on one DATABASE_URL.
  const release = startsPostgres ? lockDataDir(folder) : undefined;
  let own: Awaited<ReturnType<typeof startOwnPostgres>> | undefined;
  try {
    const { secrets, isNew } = secretsOf(folder);
    const made = { SECRETS_KEYRING: secrets.keyring, ADMIN_API_KEY: secrets.adminApiKey };
    // Reports every fault of the environment before anything is started.
    readConfig('standalone', env, { ...made, DATABASE_URL: NO_DATABASE });
    if (startsPostgres) own = await startOwnPostgres(folder, account, secrets.postgresPassword);
    const config = readConfig('standalone', env, {
      ...made,
      ...(own === undefined ? {} : { DATABASE_URL: own.url }),
    });
    const logger = createLogger({ level: config.logLevel, process: 'standalone' });
    logger.info({ config: configSummary(config), folder }, 'process.starting');
    if (own === undefined) await awaitPostgres(config, logger);
    await migrateToLatest(config.database.url);
    await prepareQueueBackend(config.queue);

    const tracing = await startTracing({
      endpoint: config.tracesEndpoint,
      service: 'dispatcher-standalone',
      logger,
    });

    @Module({
      imports: [
        ConfigModule.forRoot(config),
        ObservabilityModule.forRoot(logger, tracing),
        JobQueueModule.forRoot(),
        ApiModule,
        WorkerModule,
      ],
    })
    class Process {}

    const app = await NestFactory.create<NestFastifyApplication>(
      Process,
      httpAdapter(config.http.trustedProxies),
      {
        logger: new NestLogger(logger),
        bodyParser: false,
        abortOnError: false,
      },
    );
    configureHttp(app);
    await app.listen(config.http.port, config.http.host);
    const url = await app.getUrl();
    logger.info({ url }, 'process.ready');
    return {
      url,
      adminApiKey: config.adminApiKey ?? secrets.adminApiKey,
      isNewKey: isNew && config.adminApiKey === secrets.adminApiKey,
      folder,
      databaseUrl: config.database.url,
      queueBackend: config.queue.backend,
      logger,
      stop: async () => {
        logger.info({}, 'process.stopping');
        await app.close();
        await own?.stop();
        release?.();
      },
    };
  } catch (error) {
    await own?.stop();
    release?.();
    throw error;
  }
}

async function startOwnPostgres(
  folder: string,
  account: Account | undefined,
  password: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const programs = findPrograms(account);
  try {
    const options = { programs, account, folder: join(folder, 'postgres'), port: await freePort(), password };
    await makeCluster(options);
    const cluster = await RunningCluster.start(options);
    return {
      url: cluster.url,
      stop: async () => {
        await cluster.stop();
        programs.dispose();
      },
    };
  } catch (error) {
    programs.dispose();
    throw error;
  }
}
