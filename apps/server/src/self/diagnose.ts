import type { Diagnostics, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import os from 'node:os'
import type { State } from '../state/state.ts'

export interface Self {
  state: State
  version: VersionInfo
  /** by the monotonic clock */
  upSince: number
  clock: Clock
}

type Block = Pick<Diagnostics, 'version' | 'runtime' | 'uptime' | 'errors' | 'system'>

/** The process, and what it has to say about itself. */
export const diagnoseSelf = ({ state, version, upSince, clock }: Self): Block => ({
  version: version.version,
  runtime: version.runtime,
  uptime: (clock.monotonic() - upSince) / 1000,
  errors: state.meta.notices.map(({ message }) => message),
  system: {
    os: os.platform(),
    arch: os.arch(),
    goVersion: version.runtime,
    numCPU: os.availableParallelism(),
    numGoroutine: process.getActiveResourcesInfo().length,
    memoryMB: Math.round(process.memoryUsage.rss() / 1024 ** 2),
  },
})
