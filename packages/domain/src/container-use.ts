import type { DockerContainer } from '@pulse/contract'

type Used = Pick<DockerContainer, 'state' | 'cpuPercent' | 'memoryUsageBytes'>

export interface ContainerUse {
  running: number
  /** of running containers, at most 100; undefined while none has reported */
  cpuPercent: number | undefined
  /** of all containers */
  memoryBytes: number
}

/** What containers use of their host together. */
export function containerUse(containers: Iterable<Used>): ContainerUse {
  let running = 0
  let memoryBytes = 0
  let cpu: number | undefined
  for (const { state, cpuPercent, memoryUsageBytes = 0 } of containers) {
    memoryBytes += memoryUsageBytes
    if (state.toLowerCase() !== 'running') continue
    running++
    if (cpuPercent !== undefined) cpu = (cpu ?? 0) + cpuPercent
  }
  const known = running === 0 ? 0 : cpu
  return { running, cpuPercent: known === undefined ? undefined : Math.min(100, known), memoryBytes }
}
