import { InvalidContentError } from '../../http/invalid-input.js';
import type { BulkFilterDto } from './start-bulk-action.dto.js';

/** Refuses an empty filter, since no caller means every delivery ever created. @throws InvalidContentError */
export function checkFilter(filter: BulkFilterDto): void {
  if (Object.keys(filter).length === 0) {
    throw new InvalidContentError([{ field: 'filter', message: 'must name at least one field' }]);
  }
}
