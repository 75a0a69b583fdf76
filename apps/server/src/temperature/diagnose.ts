import type { Diagnostics } from '@pulse/contract'
import { counting } from '@pulse/domain'
import { fingerprintOf } from './host-keys.ts'
import type { TemperatureArea } from './temperatures.ts'

/** How reading the temperatures goes; the rest of the block is there for older clients. */
export function diagnoseTemperatures(
  temperature: Pick<TemperatureArea, 'nodes' | 'publicKey'>,
): Pick<Diagnostics, 'temperatureProxy' | 'temperatures'> {
  const temperatures = temperature.nodes()
  const publicKey = temperature.publicKey()
  const on = temperatures.filter(({ enabled }) => enabled)
  const dark = on.filter(({ status }) => status !== 'ok').length
  return {
    temperatureProxy: {
      legacySSHDetected: false,
      recommendProxyUpgrade: false,
      socketFound: false,
      proxyReachable: false,
      legacySshKeyCount: 0,
      ...(publicKey !== undefined && { proxyPublicKeySha256: fingerprintOf(publicKey) }),
      notes: [
        'There is no sensor proxy: temperatures are read over SSH with a restricted key.',
        ...(on.length === 0 ? ['Temperature reading is not enabled for any node.'] : []),
        ...(dark > 0
          ? [`${dark} of ${counting(on.length, 'node')} with temperatures switched on cannot be read.`]
          : []),
      ],
    },
    temperatures,
  }
}
