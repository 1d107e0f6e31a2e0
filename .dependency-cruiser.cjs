/**
 * The arrows of docs/architecture.md: apps -> doors -> rules -> contracts; a layer may skip down.
 * Doors (database, queue, egress, vault) never import each other, nor do apps, except standalone.
 * `.dependency-cruiser.folders.cjs` has the rule for the folders of an app or library.
 */
const DOORS = 'database|queue|egress|vault';
const RULES = 'policy|signing|config|observability|listener|postgres';

const only = (name, comment, path, allowedFrom) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: allowedFrom },
  to: { path },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'database-folders-import-no-index',
      comment: 'The files beside the folders of libs/database put them together.',
      severity: 'error',
      from: { path: '^libs/database/src/[^/]+/' },
      to: { path: '^libs/database/src/[^/]+\\.ts$' },
    },
    {
      name: 'contracts-is-the-ground',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { path: '^(apps|libs)/', pathNot: '^libs/contracts/' },
    },
    {
      name: 'rules-see-only-contracts',
      severity: 'error',
      from: { path: `^libs/(${RULES})/` },
      to: { path: '^(apps|libs)/', pathNot: ['^libs/$1/', '^libs/contracts/'] },
    },
    {
      name: 'doors-see-only-rules-and-contracts',
      severity: 'error',
      from: { path: `^libs/(${DOORS})/` },
      to: { path: '^(apps|libs)/', pathNot: ['^libs/$1/', `^libs/(${RULES}|contracts)/`] },
    },
    {
      name: 'channels-send-through-egress',
      severity: 'error',
      from: { path: '^libs/channels/' },
      to: { path: '^(apps|libs)/', pathNot: [`^libs/(channels|egress|${RULES}|contracts)/`] },
    },
    {
      name: 'apps-are-strangers',
      comment: 'Only the stand-alone process may join the api and the worker.',
      severity: 'error',
      from: { path: '^apps/(api|worker|console|kafka-ingest)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'through-the-front-door',
      comment: 'A library is entered by its index only.',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/(?!index\\.ts$)', pathNot: '^$1/$2/' },
    },
    {
      name: 'sources-import-no-tests',
      severity: 'error',
      from: { path: '^(apps|libs|packages)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^test/|\\.spec\\.ts$)' },
    },
    {
      name: 'product-imports-no-examples',
      comment: 'Examples use the product. Nothing in it needs them, and the image is built without them.',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^examples/' },
    },
    only(
      'bullmq-in-the-queue-only',
      'BullMQ stays behind libs/queue and the worker’s consumer.',
      'node_modules/(bullmq|ioredis|@nestjs/bullmq)/',
      ['^libs/queue/', '^apps/worker/src/jobs/delivery\\.processor\\.ts$'],
    ),
    only(
      'sql-in-the-database-only',
      'Kysely and pg stay behind libs/database; libs/postgres is what the queue needs of pg, too.',
      'node_modules/(kysely|pg|@types/pg)/',
      '^libs/(database|postgres)/',
    ),
    only(
      'class-validator-in-config-only',
      'Bodies and queries are checked from our own decorators, which would not see the rules of others.',
      'node_modules/class-(validator|transformer)/',
      '^libs/config/',
    ),
    only(
      'opentelemetry-in-observability-only',
      'Nothing of it is loaded unless there is a collector.',
      'node_modules/@opentelemetry/',
      '^libs/observability/src/tracing/otlp-tracing\\.ts$',
    ),
    only(
      'openid-client-in-signing-in-only',
      'What is asked of the provider, and what is believed of its answers, stands in one place.',
      'node_modules/(openid-client|oauth4webapi)/',
      '^apps/api/src/access/sign-in/openid/(openid-provider\\.service|provider-faults)\\.ts$',
    ),
    only(
      'mail-in-channels-only',
      'One way to send mail.',
      'node_modules/nodemailer/',
      '^libs/channels/src/mailer\\.ts$',
    ),
    only('http-client-in-egress-only', 'One guarded way out.', 'node_modules/undici/', '^libs/egress/'),
    {
      name: 'pure-rooms',
      comment: 'contracts, policy and signing know nothing of the Nest module system.',
      severity: 'error',
      from: { path: '^libs/(contracts|policy|signing)/' },
      to: { path: 'node_modules/@nestjs/(common|core|platform-fastify|testing)/' },
    },
    {
      name: 'console-sees-only-the-client',
      comment: 'What runs in a browser knows the api by its generated types alone.',
      severity: 'error',
      from: { path: '^apps/console/src/' },
      to: { path: '^(apps|libs)/', pathNot: ['^apps/console/'] },
    },
    {
      name: 'kafka-ingest-sees-only-the-client',
      comment: 'It is a producer like every other: what it can do, a bank’s own program can do.',
      severity: 'error',
      from: { path: '^apps/kafka-ingest/' },
      to: {
        path: '^(apps|libs|packages|examples|verifiers)/',
        pathNot: ['^apps/kafka-ingest/', '^packages/client/(src/index\\.ts|package\\.json)$'],
      },
    },
    only(
      'kafka-in-kafka-ingest-only',
      'No other process loads the client library of Kafka.',
      'node_modules/@platformatic/kafka/',
      '^apps/kafka-ingest/',
    ),
    {
      name: 'verifiers-import-nothing',
      comment: 'Consumers copy one file.',
      severity: 'error',
      from: { path: '^verifiers/' },
      to: { path: '^(apps|libs|examples|node_modules)/' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'Producers install it without the rest of this repository; openapi-fetch is its only dependency.',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: '\\.spec\\.ts$' },
      to: { path: '.', pathNot: ['^packages/client/', '^node_modules/openapi-fetch/'] },
    },
    {
      name: 'processes-do-not-use-the-client',
      comment: 'The client is built after the processes, and is not in their image.',
      severity: 'error',
      from: { path: '^(apps/(api|worker|standalone)|libs)/' },
      to: { path: '^packages/' },
    },
    {
      name: 'no-vague-rooms',
      severity: 'error',
      from: {},
      to: { path: '(^|/)(utils?|common|shared|helpers?|base|types)(/|\\.ts$)', pathNot: 'node_modules' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['app-source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
