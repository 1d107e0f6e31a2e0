export { configureListener, listenerOptions } from './configure-listener.js';
