export * from './download-button';
export * from './empty-state';
export * from './loading-state';
export * from './problem-alert';
export * from './query-state';
export * from './reason-dialog';
export * from './secret-once';
export * from './use-command';
