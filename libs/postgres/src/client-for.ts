import pg from 'pg';

/** Before the hosts, the hosts, and after them. */
const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/;
const WANTS_PRIMARY = /[?&]target_session_attrs=(read-write|primary)(&|$)/;
/** Settings that PostgreSQL reports to each connection: on while a server, or a session, cannot write. */
const CANNOT_WRITE = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** The URL of each host of `postgres://a,b:5433/db`, in order. */
export function urlsOf(url: string): string[] {
  const [, before = '', hosts = url, after = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

const classes = new Map<string, typeof pg.Client>();

/**
 * The class of connections to a URL, for `Client` of a pool. With `target_session_attrs=read-write` (or `primary`) a connection
 * to a server that cannot write fails with SQLSTATE 25006, and one whose server stops writing ends. After a failure all
 * new connections of the process go to the next host. libpq can do this itself; node-postgres cannot.
 */
export function clientFor(url: string): typeof pg.Client {
  if (!WANTS_PRIMARY.test(url)) return pg.Client;
  const known = classes.get(url) ?? clientOf(urlsOf(url));
  classes.set(url, known);
  return known;
}

function clientOf(urls: readonly string[]): typeof pg.Client {
  let current = 0;
  return class extends pg.Client {
    private readonly place = current;
    private readonly reasons = new Set<string>();

    constructor(config: string | pg.ClientConfig = {}) {
      super({ ...(typeof config === 'string' ? {} : config), connectionString: urls[current] });
      this.connection.on('parameterStatus', (now: { parameterName: string; parameterValue: string }) => {
        if (!CANNOT_WRITE.has(now.parameterName) || now.parameterValue === 'off') return;
        this.reasons.add(now.parameterName);
        // The answer to a login still arrives. A pool replaces a connection that has ended.
        this.end(() => undefined);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | void {
      if (callback === undefined) return this.open();
      void this.answer(callback);
    }

    private async answer(callback: (error: never, client: never) => void): Promise<void> {
      const opened = this.open();
      const outcome = await opened.then((client) => [null, client]).catch((error: unknown) => [error]);
      Reflect.apply(callback, undefined, outcome);
    }

    private async open(): Promise<pg.Client> {
      try {
        await super.connect();
        if (this.reasons.size === 0) return this;
        const fault = `${this.host}:${String(this.port)} cannot write: ${[...this.reasons].join()} is on`;
        throw Object.assign(new Error(fault), { code: '25006' });
      } catch (error) {
        if (current === this.place) current = (current + 1) % urls.length;
        throw error;
      }
    }
  };
}
