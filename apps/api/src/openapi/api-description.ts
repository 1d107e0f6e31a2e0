import { Injectable, type INestApplication } from '@nestjs/common';
import type { ApiDocument } from './api-document.js';
import { createDocument } from './document.js';

/** The OpenAPI document of this process, made when it is first needed: most processes never need it. */
@Injectable()
export class ApiDescription {
  private app: INestApplication | undefined;
  private made: ApiDocument | undefined;

  /** Called before the process listens: the document is read from the routes of `app`. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** @throws before `describe`: an internal error */
  get document(): ApiDocument {
    if (this.app === undefined) throw new Error('the document is read before the application is there');
    return (this.made ??= createDocument(this.app));
  }
}
