import { createEstate } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { memorySettings, memoryStore } from '../testing/memory-settings.ts'
import { createAlertSettings } from './settings.ts'

async function stored(text: string) {
  const settings = createAlertSettings({
    ...memorySettings(memoryStore({ alerts: text })),
    tables: createEstate().tables,
    clock: fakeClock(),
  })
  await settings.start()
  return settings.current()
}

test('a kind that an older version switched off with another table stays off', async () => {
  expect(await stored('{"disableAllStorage":true,"disableAllGuests":true}')).toMatchObject({
    disableAllDatastores: true,
    disableAllDisks: true,
    disableAllCeph: true,
    disableAllFailedBackups: true,
  })
})

test('a kind that was switched on since stays on', async () => {
  const text =
    '{"disableAllStorage":true,"disableAllDatastores":false,"disableAllDisks":false,"disableAllCeph":false}'
  expect(await stored(text)).toMatchObject({
    disableAllStorage: true,
    disableAllDatastores: false,
    disableAllDisks: false,
    disableAllCeph: false,
  })
})
