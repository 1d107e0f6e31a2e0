import './check-node.js';
export { CONFIG, ConfigModule } from './config.module.js';
export { configSummary } from './config-summary.js';
export { isLoopbackHost } from './openid-rules.js';
export { Environment } from './environment.js';
export {
  ConfigurationError,
  dataDirectory,
  processEnvironment,
  readConfig,
  type Config,
  type QueueConfig,
} from './read-config.js';
export type { BrandConfig } from './read-brand.js';
export type { OpenIdConfig } from './read-openid.js';
export { redisServers, type RedisServers } from './redis-servers.js';
export { runProcess } from './run-process.js';
export { startAdvice } from './start-advice.js';
export { SECRET_NAMES } from './secret-files.js';
