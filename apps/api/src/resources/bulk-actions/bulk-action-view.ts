import type { BulkActionRow } from '#libs/database';
import { viewOf } from '../../http/view-of.js';
import { BulkActionDto } from './bulk-action.dto.js';

/** A bulk action in the API's form. */
export const bulkActionView = (row: BulkActionRow): BulkActionDto => viewOf(BulkActionDto, row, {});
