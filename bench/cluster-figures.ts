import type { Figures } from './figures.ts'

/** The processes of one role together; RSS and the longest block are those of the worst. */
export interface RoleFigures {
  /** of one core */
  cpuPercent: number
  rssMB: number
  longestBlockMs: number
}

export interface EngineFigures {
  natsCpuPercent: number
  postgresCpuPercent: number
}

export type RolesFigures = Record<'collect' | 'judge' | 'serve', RoleFigures>

/** Two processes that collect, one that judges and two that serve, against one that does everything. */
export interface ClusterFigures {
  guests: number
  sources: number
  embedded: RoleFigures
  roles: RolesFigures
  engines: EngineFigures
  /** the CPU of the five processes, in that of the one */
  cpuRatio: number
  wire: {
    /** to the NATS server, from the processes that collect */
    natsBytesPerPoll: number
    judgeBytesPerPoll: number
    /** to a client with all slices */
    deltaBytesPerPoll: number
    ratio: number
  }
  latency: {
    embeddedToMessageP95Ms: number
    toMessageP95Ms: number
    embeddedToPixelP95Ms: number
    /** through a process that serves */
    toPixelP95Ms: number
  }
  newServe: {
    /** from its start until it listens */
    startMs: number
    /** from its connection to NATS until it has all records */
    wholeStateMs: number
  }
  machine: Figures['machine']
}
