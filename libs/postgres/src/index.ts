export { clientFor, urlsOf } from './client-for.js';
