import { rem } from '../../lib/text-scale.ts'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'

const { name, usage, rate } = machineTracks

/**
 * Type and status take together what type, number and uptime of a machine do, so that the bar stands below the disks
 * of the nodes, and the figures below what is counted of them.
 */
export const poolTracks = {
  name,
  type: rem(86),
  content: { track: `${usage} ${usage}`, span: 2 },
  status: rem(104),
  usage,
  rate,
  two: { track: `${rate} ${rate}`, span: 2 },
} as const

/** Where the window is narrow: as many tracks, some of them empty. */
export const narrowPoolTracks = {
  name: `minmax(${rem(150)}, 1.6fr)`,
  type: rem(72),
  content: `minmax(${rem(100)}, 1fr) 0`,
  status: rem(104),
  usage: narrowTracks.usage,
  size: rem(76),
  two: `0 ${rem(76)}`,
  shared: rem(80),
} as const
