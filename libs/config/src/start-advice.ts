const CANNOT_BE_REACHED =
  'PostgreSQL cannot be reached: is it up, and does DATABASE_URL name its host and port?';
/** The PostgreSQL driver's own, which have no code. */
const NO_ANSWER = /^(timeout exceeded when trying to connect|Connection terminated)/;

/** What an operator does about a fault that ends a process at its start, or a command; undefined for faults of ours. */
export function startAdvice(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'EADDRINUSE':
      return 'Something listens there already: stop it, or set another PORT.';
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
    // PostgreSQL's: no such role or way to sign in, wrong password, no such database.
    case '28000':
    case '28P01':
    case '3D000':
      return 'Correct the user, the password or the database’s name in DATABASE_URL (or DATABASE_PASSWORD).';
    case '57P03':
      return 'PostgreSQL is starting or stopping: its log says what it waits for.';
    case '53300':
      return 'PostgreSQL has no connection left: end others, or raise its max_connections.';
    case '42501':
      return 'Let the user of DATABASE_URL own the schema: migrations create and change tables.';
    default:
      if (NO_ANSWER.test(error.message)) return CANNOT_BE_REACHED;
      return code.startsWith('ERR_PARSE_ARGS_')
        ? 'README.md and docs/runbook.md show what it takes.'
        : undefined;
  }
}
