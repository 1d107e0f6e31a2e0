const CANNOT_BE_REACHED =
  'PostgreSQL is unreachable: check that it runs, and the host and port of DATABASE_URL.';
/** Errors of the PostgreSQL driver, which have no code. */
const NO_ANSWER = /^(timeout exceeded when trying to connect|Connection terminated)/;

/** Advice for a fault that ends a command, or a process at its start; undefined for an internal error. */
export function startAdvice(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'EADDRINUSE':
      return 'Another program listens there: stop it, or set another PORT.';
    case 'EADDRNOTAVAIL':
      return 'This machine has no such address: set another HOST.';
    case 'DATA_DIR_IN_USE':
      return 'Use the dispatcher that runs there, or stop it, or set DATA_DIR to another folder.';
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return CANNOT_BE_REACHED;
    // PostgreSQL: unknown role or method, wrong password, unknown database.
    case '28000':
    case '28P01':
    case '3D000':
      return 'Correct the user, the password or the database’s name in DATABASE_URL (or DATABASE_PASSWORD).';
    case '57P03':
      return 'PostgreSQL is starting or stopping: its log shows the reason.';
    case '25006':
      return 'Promote a standby, or add the host of the primary to DATABASE_URL.';
    case '53300':
      return 'PostgreSQL has no free connection: close others, or raise its max_connections.';
    case '42501':
      return 'Let the user of DATABASE_URL own the schema: migrations create and change tables.';
    case 'SCHEMA_TOO_OLD':
      return 'Run `npm run migrate` of this version first: docs/upgrading.md.';
    case 'SCHEMA_TOO_NEW':
      return 'Start that version, not this one: docs/upgrading.md.';
    case 'MIGRATION_FAILED':
      return 'The previous version can go on. Remove the cause and run `npm run migrate` again: docs/upgrading.md.';
    case 'MIGRATION_LOCKED':
      return 'The previous version can go on. Let the oldest transactions in pg_stat_activity end, and run `npm run migrate` again.';
    default:
      if (NO_ANSWER.test(error.message)) return CANNOT_BE_REACHED;
      return code.startsWith('ERR_PARSE_ARGS_')
        ? 'README.md and docs/runbook.md list the arguments.'
        : undefined;
  }
}
