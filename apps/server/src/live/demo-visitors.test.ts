import { expect, test } from 'vitest'
import { countSockets } from './caps.ts'
import { demoIdentify } from '../auth/demo.ts'
import { aCaller } from '../auth/fixtures.ts'

const identify = demoIdentify({ localOnly: false })

test('[facts/platform 7.3] one visitor of a demonstration does not take the places of the others', async () => {
  const counts = countSockets({ total: 10, perAddress: 10, perPrincipal: 2, adminReserve: 0 })
  const from = async (client: string) => ({
    principal: (await identify(aCaller({ peer: client }))).principal!,
    client,
  })
  for (let n = 0; n < 2; n++) counts.take(await from('192.0.2.7'))
  expect(counts.refusalOf(await from('192.0.2.7'))).toBeDefined()
  expect(counts.refusalOf(await from('198.51.100.1'))).toBeUndefined()
})
