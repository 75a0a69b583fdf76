import { expect, test } from 'vitest'
import { startSensorsHost } from './host.ts'

test('the SSH service of a host listens on loopback addresses only', async () => {
  await expect(startSensorsHost('0.0.0.0')).rejects.toThrow('is not a loopback address')
  await expect(startSensorsHost('10.0.0.1')).rejects.toThrow('is not a loopback address')
})
