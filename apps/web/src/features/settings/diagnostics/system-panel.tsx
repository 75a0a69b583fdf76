import type { Diagnostics } from '@pulse/contract'
import { formatNumber, formatUptime } from '../../../lib/format.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Facts } from './facts.tsx'
import { architectureText, platformText, runtimeText } from './system-texts.ts'

export function SystemPanel({ result: { version, runtime, uptime, system } }: { result: Diagnostics }) {
  return (
    <Panel title="System information">
      <Facts
        facts={[
          { label: 'Version', value: version },
          { label: 'Runtime', value: runtimeText(runtime) },
          { label: 'Uptime', value: formatUptime(uptime) },
          { label: 'Operating system', value: platformText(system.os) },
          { label: 'Architecture', value: architectureText(system.arch) },
          { label: 'Processors', value: formatNumber(system.numCPU) },
          { label: 'Memory in use', value: `${formatNumber(system.memoryMB)} MB` },
          { label: 'Active handles', value: formatNumber(system.numGoroutine) },
        ]}
      />
    </Panel>
  )
}
