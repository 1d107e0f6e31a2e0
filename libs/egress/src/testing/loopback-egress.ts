import { afterAll, afterEach } from '@jest/globals';
import { createEgress, type EgressOptions } from '../create-egress.js';
import type { Egress } from '../exchange.js';
import type { Lookup } from '../guarded-lookup.js';
import { LoopbackConsumers } from './loopback-consumers.js';

/** Consumers on the loopback interface for the tests of a file, and an egress that permits them. Closed after the tests. */
export function loopbackEgress(options: Partial<EgressOptions> = {}): {
  readonly consumers: LoopbackConsumers;
  readonly egress: Egress;
  /** Another egress for one test. */
  readonly open: (own?: Partial<EgressOptions>) => Egress;
} {
  const consumers = new LoopbackConsumers();
  const make = (own: Partial<EgressOptions> = {}): Egress =>
    createEgress({ allow: ['127.0.0.0/8'], ...options, ...own });
  const egress = make();
  const opened: Egress[] = [];
  const open = (own?: Partial<EgressOptions>): Egress => {
    const made = make(own);
    opened.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close({ withinMs: 0 })));
    await consumers.stop();
  });
  afterAll(() => egress.close({ withinMs: 0 }));
  return { consumers, egress, open };
}

/** A name lookup that finds these addresses. */
export const finding =
  (addresses: () => readonly string[] = () => ['127.0.0.1']): Lookup =>
  (_, __, found) => {
    const all = addresses().map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    process.nextTick(found, null, all);
  };
