export { answerWhileWaiting } from './answer-while-waiting.js';
export { configureListener, listenerOptions } from './configure-listener.js';
export { sendProblem, statusOf } from './send-problem.js';
