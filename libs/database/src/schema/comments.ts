/** Purpose of tables, and what columns' names do not say: for psql's `\d+`, and for the fields in `tables.ts`. */
const COMMENTS: Readonly<Record<string, string>> = {
  'table dispatcher_state': 'One row: the state of the whole installation.',
  'column dispatcher_state.routing_version':
    'Grows with every change that can alter routing; accept compares it with the version it routed by.',
  'column dispatcher_state.paused_at': 'Since when sending to all consumers is paused.',
  'column dispatcher_state.unrouted_seen_until':
    'Unrouted events accepted before were marked as seen by an operator; the overview does not count them.',
  'table consumer_runtime': 'One row a consumer: what changes while the consumer is served.',
  'column consumer_runtime.session': 'The fencing token of delivery sessions.',
  'column consumer_runtime.session_open': 'A worker is fetching the consumer’s deliveries.',
  'column consumer_runtime.last_success_at':
    'Written when a session ends or the health changes; stats_minutes may have a newer one.',
  'column consumer_runtime.next_send_at': 'When max_per_second allows the next request.',
  'column consumer_runtime.secret_fault': 'Why the credentials cannot be decrypted; for an operator.',
  'table excluded_downtime':
    'A time that counts against no delivery; without a consumer, it applies to all consumers.',
  'table schedules': 'A recurring job, claimed by one process at a time.',
  'column schedules.run_id': 'The run in progress, if any; its fencing token.',
  'column consumers.routing_version': 'dispatcher_state.routing_version of the last change of the settings.',
  'column consumers.retry_schedule': 'Seconds between attempts; null: the default schedule.',
  'column consumers.paused_until': 'When the pause ends by itself; null: it lasts until an operator resumes.',
  'column consumers.last_credential_version':
    'The highest version ever used: the number of a dropped version is not used again.',
  'column consumers.ca_certificate': 'PEM of the private authority; null: the public ones.',
  'table consumer_credentials': 'The version in force has the newest activate_at that is not in the future.',
  'column consumer_credentials.sealed': 'JWE; only libs/vault can open it.',
  'column consumer_credentials.client_certificates':
    'The chain of the private key that is sealed in this row; empty without one.',
  'column api_keys.last_used_at': 'Written once a minute at most.',
  'column api_keys.sign_in_link_id': 'The link whose session the row is; null for a key.',
  'table sign_in_links': 'A one-time link with which a consumer’s person signs in to the portal.',
  'table url_requests': 'A change of a consumer’s URL that its people requested and an operator decides.',
  'column url_requests.url_before': 'The consumer’s URL when the request was made.',
  'table payments':
    'A payment is (event type, id). Its row is the lock under which a status gets its number.',
  'column payments.producers': 'Producers that have posted a status of the payment.',
  'table events': 'Accepted events, partitioned by week through the UUIDv7 id.',
  'column events.accepted_at':
    'The clock at the insertion. Lists sort by it, and show a row once no older row can still be committed.',
  'column events.body': 'The exact bytes of the envelope; text, since jsonb would reorder its keys.',
  'column events.traceparent': 'The trace of the request, as in the W3C header; null without one.',
  'column events.added_delivery_ids': 'Deliveries that an operator added later.',
  'table pending_deliveries':
    'Deliveries that are not finished; small, unpartitioned. The view pending_delivery_states derives their state.',
  'column pending_deliveries.status': 'The payment status in the event.',
  'column pending_deliveries.attempts': 'Attempts recorded so far; the next attempt has this number plus 1.',
  'column pending_deliveries.schedule_step': 'Attempts in the current pass through the retry schedule.',
  'column pending_deliveries.pending_since':
    'When it became pending; reset when a finished delivery is sent again.',
  'column pending_deliveries.held_session':
    'The ended session that has sent it and may still record the answer; until next_attempt_at no other sends it.',
  'column pending_deliveries.record_refused_at':
    'When PostgreSQL refused the record of an attempt that was sent; not sent again before an operator retries it.',
  'table deliveries': 'Finished deliveries, partitioned like events.',
  'column deliveries.status': 'The payment status in the event.',
  'column deliveries.replayed': 'Whether a person has sent it again since it was accepted.',
  'column deliveries.settled_at': 'When a person settled a dead delivery outside this system.',
  'table attempts': 'One POST; partitioned by the delivery’s id.',
  'column attempts.failed_consumer_id':
    'The consumer, of a failed attempt only: the index holds failures, and its statistics their number by consumer.',
  'column audit_log.role': 'The roles of the actor, as granted; null for the dispatcher itself.',
  'column audit_log.written_at': 'The clock, read after the entry got its id.',
  'table bulk_actions': 'An action on many deliveries: its scope and its progress.',
  'column bulk_actions.newest_id': 'The newest delivery at the start; later ones are not covered.',
  'column bulk_actions.cursor': 'The last delivery that a step has processed.',
  'column bulk_actions.matched': 'Null: counting took too long.',
  'column bulk_actions.failures': 'Failed steps since the last successful one.',
  'column bulk_actions.last_fault': 'Why the last step failed; null after a successful one.',
  'column bulk_actions.created_at': 'When the deliveries were counted; later ones are not covered.',
  'column bulk_actions.stepped_at': 'Running actions take turns by it.',
  'table health_issues': 'A condition that needs a person: open, acknowledged or resolved.',
  'column health_issues.subject':
    'Distinguishes issues of one kind: a certificate or a key. Otherwise empty.',
  'column health_issues.summary': 'The words at the opening; screens show the present health.',
  'column health_issues.last_seen_at': 'When the condition was last noted, about once a minute.',
  'column health_issues.ended_at': 'When the condition ended; an ongoing one is not opened again.',
  'column health_issues.resolved_by': 'Null: resolved automatically, or not resolved.',
  'table channels': 'Where issues are announced.',
  'column channels.owner_consumer_id':
    'The consumer whose people get alerts there; null: a channel of the bank, for issues.',
  'table consumer_alerts':
    'The outbox of the alerts for consumers’ people; what is reported, once for each channel.',
  'column consumer_alerts.subject': 'Of what the alert is: an issue, a replay, or a version and its instant.',
  'column consumer_alerts.at': 'When it happened or, of credentials, when they are in force.',
  'column consumer_alerts.number': 'The version of the credentials, or the deliveries of the replay.',
  'column channels.host': 'The host of the URL, for people; the URL itself is sealed.',
  'column channels.severities': 'Only issues of these severities; libs/policy has the severity of each kind.',
  'column channels.sealed': 'JWE; only libs/vault can open it.',
  'table channel_messages': 'The outbox of the channels; each event of an issue once for each channel.',
  'column channel_messages.next_at':
    'Earliest time of the next attempt; of a counted message, of the channel’s next summary.',
  'column channel_messages.channel_id': 'Null: to the contact of the issue’s consumer.',
  'column bulk_actions.started_for':
    'The consumer whose people started it in the portal; null: an operator did.',
  'table stats_minutes': 'Counts of one process in one minute; without a consumer, of all consumers.',
  'column stats_minutes.latency':
    'Deliveries by latency, one count for each of LATENCY_BOUNDS_MS (libs/policy), without zeros at the end.',
  'table workers': 'A worker process, as of its last heartbeat.',
  'column workers.sending': 'Deliveries that are being sent.',
  'column workers.sessions': 'Consumers that the worker serves.',
  'column workers.at_limit': 'Of those consumers, the ones whose limits keep deliveries waiting.',
};

export const SCHEMA_COMMENTS: readonly string[] = Object.entries(COMMENTS).map(
  ([object, comment]) => `comment on ${object} is '${comment}'`,
);
