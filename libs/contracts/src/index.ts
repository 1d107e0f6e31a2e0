export * from './closed-lists.js';
