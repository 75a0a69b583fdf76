import type { NodeConfig } from '@pulse/contract'
import { afterEach } from 'vitest'
import type { Given } from '../journey.ts'

/** Each of these journeys begins without servers, and with discovery off. */
export function forgetAfterEach(given: Given): void {
  afterEach(async () => {
    const { estate } = given
    await estate.call('POST', '/api/system/settings/update', { discoveryEnabled: false })
    const nodes = (await estate.call('GET', '/api/config/nodes')) as NodeConfig[]
    for (const { id } of nodes) await estate.call('DELETE', `/api/config/nodes/${id}`)
  })
}
