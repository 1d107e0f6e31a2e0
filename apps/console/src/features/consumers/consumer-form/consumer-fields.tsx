import {
  Alert,
  Checkbox,
  Code,
  Group,
  Input,
  NumberInput,
  Paper,
  Radio,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { EVENT_TYPES, FIELD_LABELS } from '../../../formats';
import { useConsumerFormContext, type ConsumerValues } from './consumer-values';

/** The sections of the form in order, each with its settings. */
export const SECTIONS = [
  {
    title: 'Customer',
    Fields: CustomerFields,
    fields: ['name', 'externalId', 'contact', 'notifyContact', 'notes'],
  },
  {
    title: 'Endpoint',
    Fields: EndpointFields,
    fields: ['url', 'caCertificate', 'timeoutMs', 'timestampUnit'],
  },
  {
    title: 'Payments',
    Fields: PaymentsFields,
    fields: ['eventTypes', 'achCompanyIds', 'wireCompanyIds', 'allPayments'],
  },
  {
    title: 'Limits and order',
    Fields: LimitsFields,
    fields: ['ordering', 'maxConcurrency', 'maxPerSecond', 'retrySchedule'],
  },
] as const;

const DESCRIPTIONS: Readonly<Partial<Record<keyof ConsumerValues, string>>> = {
  name: 'The customer’s name as colleagues use it',
  externalId: 'E.g. the customer number. Unique; producers can name the consumer by it',
  contact: 'Who can be reached at the customer when deliveries fail, also at night',
  notifyContact: 'When the consumer is down and when it has recovered, to the mail address in the contact',
  notes: 'What a colleague should know at 3 a.m., e.g. maintenance windows',
  url: 'Notifications are sent here by POST. The URL is part of the signed text: the customer must use exactly the same',
  caCertificate:
    'PEM certificates, trusted instead of the public authorities. Leave empty to trust the public ones',
  timeoutMs: 'For the whole request, 1,000 to 30,000',
  timestampUnit: 'The unit of x-timestamp that the customer’s software expects',
  achCompanyIds: 'ACH payments whose debtor or creditor has one of these. Press Enter after each',
  wireCompanyIds: 'Wire payments whose originator has one of these. Press Enter after each',
  allPayments: 'For the bank’s own systems only',
  maxConcurrency: '1 to 1,000; 64 unless the customer asks for fewer',
  maxPerSecond: '1 to 10,000. Leave empty for no limit',
  retrySchedule:
    'Seconds between attempts, e.g. 10, 60, 300. Leave empty for 13 attempts over about 72 hours. After the last attempt a delivery is dead, and at the latest 14 days after acceptance; paused time and our own faults are not counted',
};

const CHECKED: ReadonlySet<keyof ConsumerValues> = new Set(['allPayments', 'notifyContact']);

/** The form, and the props of each input. */
function useFields() {
  const form = useConsumerFormContext();
  const of = (field: keyof ConsumerValues) => ({
    label: FIELD_LABELS[field],
    description: DESCRIPTIONS[field],
    ...form.getInputProps(field, { type: CHECKED.has(field) ? 'checkbox' : 'input' }),
  });
  return { form, of };
}

/** The customer, and whom to contact. */
function CustomerFields() {
  const { of } = useFields();
  return (
    <Stack>
      <TextInput required maxLength={200} {...of('name')} />
      <TextInput maxLength={255} {...of('externalId')} />
      <TextInput maxLength={500} {...of('contact')} />
      <Switch {...of('notifyContact')} />
      <Textarea autosize minRows={2} maxLength={2000} {...of('notes')} />
    </Stack>
  );
}

/** The URL, the timeout, and the resulting request and signature. */
function EndpointFields() {
  const { form, of } = useFields();
  const { url, timestampUnit } = form.getValues();
  const { label, description, error, onChange } = of('timestampUnit');
  return (
    <Stack>
      <TextInput required type="url" maxLength={2048} {...of('url')} />
      <Textarea autosize minRows={2} maxRows={8} {...of('caCertificate')} />
      <NumberInput
        min={1_000}
        max={30_000}
        step={1_000}
        thousandSeparator=","
        maw={260}
        {...of('timeoutMs')}
      />
      <Input.Wrapper labelElement="div" label={label} description={description} error={error}>
        <div>
          <SegmentedControl
            mt={4}
            aria-label={label}
            data={[
              { value: 'seconds', label: 'Seconds' },
              { value: 'milliseconds', label: 'Milliseconds' },
            ]}
            value={timestampUnit}
            onChange={onChange}
          />
        </div>
      </Input.Wrapper>
      {URL.canParse(url) ? (
        <RequestPreview url={url} timestampUnit={timestampUnit} />
      ) : (
        <Text c="dimmed">Enter a URL to see what will be requested and signed.</Text>
      )}
    </Stack>
  );
}

/** The request of a notification and its signed text, as the customer receives them. */
export function RequestPreview({ url, timestampUnit }: Pick<ConsumerValues, 'url' | 'timestampUnit'>) {
  const canonical = new URL(url).href;
  const timestamp = timestampUnit === 'seconds' ? '1700000000' : '1700000000000';
  return (
    <Paper component="section" withBorder p="md" aria-label="Request and signature">
      <Text fw={600}>Request</Text>
      <Code block tabIndex={0}>
        {`POST ${canonical}
authorization: Basic <username:password in base64>
content-type: application/json
x-timestamp: ${timestamp}
x-signature: <64 hexadecimal characters>

{"notificationId":"…","eventType":"…","eventDateTime":"…","data":{…}}`}
      </Code>
      <Text fw={600} mt="sm">
        Signed text
      </Text>
      <Text size="sm">
        HMAC-SHA256 with the signing secret over verb, URL, body and timestamp, with nothing between them.
      </Text>
      <Code block tabIndex={0}>{`POST${canonical}<the body>${timestamp}`}</Code>
    </Paper>
  );
}

/** The payments that the consumer receives: a mistake shows one customer the payments of another. */
function PaymentsFields() {
  const { form, of } = useFields();
  const { allPayments, achCompanyIds, wireCompanyIds, eventTypes } = form.getValues();
  const ids = { splitChars: [',', ' ', ';'], acceptValueOnBlur: true, disabled: allPayments };
  return (
    <Stack>
      <Checkbox.Group required {...of('eventTypes')}>
        <Group mt="xs">
          {Object.entries(EVENT_TYPES).map(([value, { label }]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      {eventTypes.includes('ach.status') && <TagsInput {...ids} {...of('achCompanyIds')} />}
      {eventTypes.includes('wire.status') && <TagsInput {...ids} {...of('wireCompanyIds')} />}
      <Switch {...of('allPayments')} />
      {allPayments && (
        <Alert color="red" icon={<IconAlertTriangle />} title="Receives every customer’s payments">
          All account numbers and amounts of all customers are sent to this URL. Switch it off for a customer.
        </Alert>
      )}
      {!allPayments && achCompanyIds.length === 0 && wireCompanyIds.length === 0 && (
        <Alert color="yellow" title="No company IDs">
          Without company IDs it receives only events that a producer addresses to it. Ask the customer for
          its company IDs.
        </Alert>
      )}
    </Stack>
  );
}

/** Concurrency, rate, order and retries. */
function LimitsFields() {
  const { of } = useFields();
  return (
    <Stack>
      <Radio.Group {...of('ordering')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="payment"
            label="In order, payment by payment"
            description="Default. A status is sent after the earlier ones of its payment are delivered or dead"
          />
          <Radio
            value="none"
            label="As soon as possible, in any order"
            description="Faster after an outage, but the customer must sort the statuses"
          />
        </Stack>
      </Radio.Group>
      <NumberInput min={1} max={1_000} maw={260} {...of('maxConcurrency')} />
      <NumberInput min={1} max={10_000} maw={260} {...of('maxPerSecond')} />
      <Textarea autosize {...of('retrySchedule')} />
    </Stack>
  );
}
