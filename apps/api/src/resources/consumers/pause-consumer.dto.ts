import { ComingInstant } from '../../http/coming-instant.js';
import { ReasonDto } from '../../http/reason.dto.js';

/** `POST /v1/consumers/:id/pause`. */
export class PauseConsumerDto extends ReasonDto {
  /**
   * When sending resumes automatically: in the future, at most 30 days ahead. Absent: only when a person resumes it.
   * Replaces the end of an earlier pause.
   */
  @ComingInstant({ withinDays: 30 })
  until?: string;
}
