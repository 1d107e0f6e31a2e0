-- The events of committed transactions, until the relay has posted them to the dispatcher (docs/outbox.md).
create table outbox (
  -- The idempotency key of the event: however often the relay posts the row, the dispatcher makes one event of it.
  id uuid primary key default gen_random_uuid(),
  -- The order of a payment's events; set by the trigger below. It has gaps where a transaction was rolled back.
  position bigint not null,
  -- The kind and id of the payment, e.g. 'wire:W-1'. Events of different payments have no order.
  payment text not null,
  -- The body of POST /v1/events. `json` keeps its text, so that the content of the idempotency key never changes.
  event json not null,
  created_at timestamptz not null default now(),
  -- The dispatcher has committed the event.
  sent_at timestamptz,
  notification_id uuid,
  -- The dispatcher has refused the event; a person corrects or removes the row.
  refused_at timestamptz,
  refusal text,
  check (num_nonnulls(sent_at, refused_at) <= 1),
  check ((sent_at is null) = (notification_id is null)),
  check ((refused_at is null) = (refusal is null))
);

create sequence outbox_position owned by outbox.position;

-- Two transactions may report statuses of one payment at the same time. The second one waits here until the first one
-- has ended, and takes its number afterwards. So a number that is visible never has a lower one of the same payment
-- that becomes visible later.
create function take_outbox_position() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.payment, 0));
  new.position := nextval('outbox_position');
  return new;
end
$$;

create trigger take_outbox_position before insert on outbox
  for each row execute function take_outbox_position();

-- For the relay: rows in their order, and the earlier rows of a payment.
create index outbox_unsent on outbox (position) where sent_at is null;
create index outbox_unsent_of_payment on outbox (payment, position) where sent_at is null;
-- For the deletion of old rows.
create index outbox_sent on outbox (sent_at) where sent_at is not null;
