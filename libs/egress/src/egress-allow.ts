import { parseNetwork, type Network } from './network.js';

/** Exceptions from the guard: networks, and host names that may have any address. */
export interface EgressAllow {
  readonly networks: readonly Network[];
  /** In lower case, without a trailing dot. */
  readonly hosts: ReadonlySet<string>;
}

export type ParsedEgressAllow =
  | { readonly ok: true; readonly allow: EgressAllow }
  | { readonly ok: false; readonly faults: readonly string[] };

/** RFC 1123: labels of letters, digits and inner hyphens; `_` as service names use it. */
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
/** The URL parser reads a host that ends like this as an IPv4 address. */
const NUMERIC_LAST_LABEL = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/**
 * Reads the entries of `EGRESS_ALLOW`: a network (`127.0.0.0/8`, `::1/128`), an address, or a host name, which is matched
 * as a whole and case-insensitively.
 *
 * @returns the exceptions, or a fault for every invalid entry
 */
export function parseEgressAllow(entries: readonly string[]): ParsedEgressAllow {
  const networks: Network[] = [];
  const hosts = new Set<string>();
  const faults: string[] = [];
  for (const entry of entries) {
    const network = parseNetwork(entry);
    const host = canonicalHost(entry);
    if (network !== null) networks.push(network);
    else if (HOST_NAME.test(host) && !NUMERIC_LAST_LABEL.test(host)) hosts.add(host);
    else faults.push(`"${entry}" is not a network (127.0.0.0/8), address or host name`);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, allow: { networks, hosts } };
}

/** Whether a host may have any address. */
export function isHostAllowed(host: string, allow: EgressAllow): boolean {
  return allow.hosts.has(canonicalHost(host));
}

function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
