/** Injection token of the process's `Database`. */
export const DATABASE = Symbol('Database');

/** Injection token of the handle for lists and screens: a small pool of its own, with short patience. */
export const READING = Symbol('Reading');

/** Injection token of the handle for the lists that consumers read: so few connections that operators keep theirs. */
export const CONSUMERS_READING = Symbol('ConsumersReading');
