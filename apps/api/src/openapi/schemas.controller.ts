import { EVENT_TYPES } from '#libs/contracts';
import { PUBLIC } from '#libs/observability';
import { Get, NotFoundException, Param, SetMetadata, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Routes } from '../http/routes.js';
import { ApiDescription } from './api-description.js';
import { JSON_SCHEMA_DIALECT, schemaFile } from './schema-file.js';

const JSON_SCHEMA = 'application/schema+json';
const EXAMPLE = { $schema: JSON_SCHEMA_DIALECT, title: 'ach.status', type: 'object' };

/** Public like the API document at `/docs`, which has the same schemas. */
@Routes({ path: 'schemas', tag: 'notifications' })
export class SchemasController {
  constructor(private readonly description: ApiDescription) {}

  /**
   * Download the JSON Schema of a notification
   * @remarks By the type of the event, as a file (draft 2020-12) with an example. No key is needed.
   */
  @Get(':name')
  @SetMetadata(PUBLIC, true)
  @ApiOkResponse({
    content: { [JSON_SCHEMA]: { schema: { type: 'object', additionalProperties: true }, example: EXAMPLE } },
  })
  readSchema(@Param('name') name: string): StreamableFile {
    const eventType = EVENT_TYPES.find((one) => one === name);
    if (eventType === undefined)
      throw new NotFoundException(
        `There is no schema of this name. The names are ${EVENT_TYPES.join(', ')}.`,
      );
    const text = JSON.stringify(schemaFile(this.description.document, eventType), null, 2);
    return new StreamableFile(Buffer.from(`${text}\n`), {
      type: JSON_SCHEMA,
      disposition: `attachment; filename="${eventType}.schema.json"`,
    });
  }
}
