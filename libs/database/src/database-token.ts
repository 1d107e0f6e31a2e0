/** Injection token of the process's `Database`. */
export const DATABASE = Symbol('Database');
