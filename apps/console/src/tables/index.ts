export * from './data-table';
export * from './filter-bar';
export * from './list-view';
export * from './pager';
export * from './presets';
export * from './typed-filter';
export * from './use-stable-list';
export * from './use-url-filters';
