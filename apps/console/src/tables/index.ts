export * from './data-table';
export * from './filter-bar';
export * from './list-view';
export * from './pager';
export * from './typed-filter';
export * from './use-list-page';
export * from './use-stable-list';
export * from './use-url-filters';
