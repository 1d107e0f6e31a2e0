import { Alert, Checkbox, Group, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useConsumerFormContext } from './consumer-form-context';
import { EVENT_TYPE_LABELS, EVENT_TYPES } from './event-types';
import { FIELD_LABELS } from './field-labels';

/** Which payments concern the consumer: whoever gets this wrong shows one customer another one's payments. */
export function PaymentsFields() {
  const form = useConsumerFormContext();
  const { allPayments, achCompanyIds, wireCompanyIds, eventTypes } = form.getValues();
  const isNobodys = !allPayments && achCompanyIds.length === 0 && wireCompanyIds.length === 0;
  return (
    <Stack>
      <Checkbox.Group label={FIELD_LABELS.eventTypes} required {...form.getInputProps('eventTypes')}>
        <Group mt="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={EVENT_TYPE_LABELS[type]} />
          ))}
        </Group>
      </Checkbox.Group>
      {eventTypes.includes('ach.status') && (
        <TagsInput
          label={FIELD_LABELS.achCompanyIds}
          description="ACH payments whose debtor or creditor has one of these. Enter after each"
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          disabled={allPayments}
          {...form.getInputProps('achCompanyIds')}
        />
      )}
      {eventTypes.includes('wire.status') && (
        <TagsInput
          label={FIELD_LABELS.wireCompanyIds}
          description="Wire payments whose originator has one of these. Enter after each"
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          disabled={allPayments}
          {...form.getInputProps('wireCompanyIds')}
        />
      )}
      <Switch
        label={FIELD_LABELS.allPayments}
        description="For systems of the bank itself only"
        {...form.getInputProps('allPayments', { type: 'checkbox' })}
      />
      {allPayments && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle />}
          title="It will see the payments of every customer"
        >
          <Text size="sm">
            Whoever runs this URL gets all account numbers and amounts of everybody. Leave it off for a
            customer.
          </Text>
        </Alert>
      )}
      {isNobodys && (
        <Alert color="yellow" variant="outline" title="No payment concerns it yet">
          <Text size="sm">
            Without a company id it gets only what a producer addresses to it by name. Ask the customer for
            its company ids.
          </Text>
        </Alert>
      )}
    </Stack>
  );
}
