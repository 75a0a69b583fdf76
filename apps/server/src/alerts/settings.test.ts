import { createEstate } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAlertSettings } from './settings.ts'

async function stored(text: string) {
  const settings = createAlertSettings({
    store: { read: async () => text, write: async () => {} },
    tables: createEstate().tables,
    clock: fakeClock(),
    log: pino({ level: 'silent' }),
    onWrite: () => {},
  })
  await settings.start()
  return settings.current()
}

test('what an older version switched off by the switch of another table stays off', async () => {
  expect(await stored('{"disableAllStorage":true,"disableAllGuests":true}')).toMatchObject({
    disableAllDatastores: true,
    disableAllDisks: true,
    disableAllCeph: true,
    disableAllFailedBackups: true,
  })
})

test('what was switched on again since then stays on', async () => {
  const text =
    '{"disableAllStorage":true,"disableAllDatastores":false,"disableAllDisks":false,"disableAllCeph":false}'
  expect(await stored(text)).toMatchObject({
    disableAllStorage: true,
    disableAllDatastores: false,
    disableAllDisks: false,
    disableAllCeph: false,
  })
})
